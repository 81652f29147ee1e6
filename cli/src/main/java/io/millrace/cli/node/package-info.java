/**
 * Starting, watching and stopping nodes of a distribution tree: used by the commands, by the test
 * kit and by the benchmarks. Nothing here exits the JVM or prints; failures are {@link
 * io.millrace.cli.term.CommandFailure}.
 */
@NullMarked
package io.millrace.cli.node;

import org.jspecify.annotations.NullMarked;
