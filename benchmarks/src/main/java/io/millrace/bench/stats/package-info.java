/** Medians, spread and ratios pair by pair. */
@NullMarked
package io.millrace.bench.stats;

import org.jspecify.annotations.NullMarked;
