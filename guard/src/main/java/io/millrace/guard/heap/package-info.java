/** What the features of this domain know of the heap, under every collector. */
@NullMarked
package io.millrace.guard.heap;

import org.jspecify.annotations.NullMarked;
