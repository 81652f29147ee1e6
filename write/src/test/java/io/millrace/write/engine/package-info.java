/** Proofs about stock's engine that this product relies on. */
@NullMarked
package io.millrace.write.engine;

import org.jspecify.annotations.NullMarked;
