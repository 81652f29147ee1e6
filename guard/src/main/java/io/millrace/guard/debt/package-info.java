/** A node that only collects: shed, cancel, leave. */
@NullMarked
package io.millrace.guard.debt;

import org.jspecify.annotations.NullMarked;
