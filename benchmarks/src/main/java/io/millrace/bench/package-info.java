/**
 * Stock against Millrace in one run on the same data: scenarios, the runner, the report.
 *
 * <p>Start at {@link io.millrace.bench.BenchMain}; {@code benchmarks/docs/benchmarks.md} says how
 * to run it and how to read what it prints.
 */
@NullMarked
package io.millrace.bench;

import org.jspecify.annotations.NullMarked;
