package io.millrace.it.shippers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that runs for a test. */
record Running(Process process, Path log) implements AutoCloseable {

  /** Starts it; what it says goes into a file of the folder. */
  static Running start(Path folder, List<String> command, Map<String, String> environment)
      throws IOException {
    Path log = folder.resolve("out");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new Running(builder.start(), log);
  }

  String said() throws IOException {
    return Files.readString(log);
  }

  /** Kills it, and waits: the folder that it writes to is removed afterwards. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
  }
}
