package io.millrace.it.support;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs that a test runs as a user would, with what they said and how they ended. */
public final class Commands {
  private static final long LIMIT_SECONDS = 900;

  private Commands() {}

  /**
   * How a program ended.
   *
   * @param command for messages
   * @param output standard output and standard error, as they came
   */
  public record Outcome(List<String> command, int exitCode, String output) {

    /**
     * This outcome, if the program ended with 0.
     *
     * @throws AssertionError otherwise, with command and output
     */
    public Outcome ok() {
      if (exitCode != 0) {
        throw new AssertionError(this);
      }
      return this;
    }

    @Override
    public String toString() {
      return String.join(" ", command) + " -> exit code " + exitCode + "\n" + output;
    }
  }

  /** Runs a program in the current folder; see {@link #run(Path, Map, List)}. */
  public static Outcome run(String... command) throws IOException {
    return run(Path.of(""), Map.of(), List.of(command));
  }

  /**
   * Runs a program with nothing on its standard input.
   *
   * @param environment added to the test's own
   * @throws AssertionError when it has not ended after a quarter of an hour; it is killed then
   */
  public static Outcome run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    Path output = Files.createTempFile("millrace-it-", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.directory(folder.toAbsolutePath().toFile());
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true);
      builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
      // a file, not a pipe: a daemon that the program leaves behind must not hold the test
      builder.redirectOutput(output.toFile());
      Process process = builder.start();
      try {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
          throw new AssertionError(
              command + " did not end within " + LIMIT_SECONDS + " s\n" + read(output));
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      return new Outcome(command, process.exitValue(), read(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /**
   * Runs a program that asks a registry until it ends with 0, at most so many times: a registry
   * that does not answer once is no finding.
   */
  public static Outcome again(
      int most, Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    Outcome outcome = run(folder, environment, command);
    for (int i = 1; i < most && outcome.exitCode() != 0; i++) {
      outcome = run(folder, environment, command);
    }
    return outcome;
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
