/** Finds a node that died or answers nothing, from outside, and starts it again. */
@NullMarked
package io.millrace.launcher.supervise;

import org.jspecify.annotations.NullMarked;
