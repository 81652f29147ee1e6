/** Stored fields on their way to a codec. */
@NullMarked
package io.millrace.kernel.stored;

import org.jspecify.annotations.NullMarked;
