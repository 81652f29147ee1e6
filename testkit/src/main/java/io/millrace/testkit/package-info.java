/** Harnesses for tests and benchmarks: real nodes, a JSON client, answers compared. */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
