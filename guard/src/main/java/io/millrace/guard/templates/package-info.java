/** How much text one request's templates may write. */
@NullMarked
package io.millrace.guard.templates;

import org.jspecify.annotations.NullMarked;
