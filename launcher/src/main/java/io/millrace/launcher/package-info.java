/**
 * Node processes on this machine: what {@code millrace up} needs, usable without the command line
 * by the test kit and the benchmarks. Nothing here exits the JVM or prints; failures are {@link
 * io.millrace.client.failure.ExpectedFailure}.
 *
 * <p>Reading order, each package using those before it: {@code machine} (what this machine has),
 * {@code workspace} (where things are, and who owns them), {@code node} (one process), {@code
 * cluster} (several, planned and run), {@code supervise} (watched).
 */
@NullMarked
package io.millrace.launcher;

import org.jspecify.annotations.NullMarked;
