/** Who sends a request: from a header to somebody the node knows. */
@NullMarked
package io.millrace.access.login;

import org.jspecify.annotations.NullMarked;
