/** Pools whose threads are all held get further ones. */
@NullMarked
package io.millrace.guard.threads;

import org.jspecify.annotations.NullMarked;
