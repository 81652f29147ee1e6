/** How a password is kept: shared by the node, which checks, and by commands, which write. */
@NullMarked
package io.millrace.credential;

import org.jspecify.annotations.NullMarked;
