package io.millrace.bench.run;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** A running node under test. Closing it stops the process and waits until it is gone. */
public interface BenchNode extends AutoCloseable {
  /** The server's process, for {@code /proc}. */
  long pid();

  /** Where it answers HTTP. */
  URI uri();

  /** The assembled tree that it runs from. */
  Path tree();

  /** The folder that holds its indices. */
  Path data();

  /** The log in which the JVM notes every safepoint; for {@code Pauses}. */
  Path safepoints();

  /** How the JVM was started, for the report. */
  List<String> command();

  @Override
  void close();
}
