/** One search or bulk may hold at most a share of the heap. */
@NullMarked
package io.millrace.guard.breaker;

import org.jspecify.annotations.NullMarked;
