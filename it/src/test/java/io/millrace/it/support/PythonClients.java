package io.millrace.it.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.Commands.Outcome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Clients from PyPI. Each program ({@code src/test/resources/clients}) loads with its own bulk
 * helper or exporter, counts and searches, and ends with 0 only if every answer is right.
 */
public final class PythonClients {
  private PythonClients() {}

  /**
   * Runs a program with what it requires.
   *
   * @param requirement as pip takes it
   * @param url of a node
   * @param environment {@code MILLRACE_USER} ({@code name:password}) and {@code MILLRACE_CA} (a PEM
   *     file) where the node asks for them
   * @throws AssertionError when an answer is wrong
   */
  public static void run(
      String requirement, String program, String url, Map<String, String> environment)
      throws IOException {
    Path python = environment(requirement);
    Path script = Path.of("src/test/resources/clients", program).toAbsolutePath();
    Outcome outcome =
        Commands.run(Path.of(""), environment, List.of("" + python, "" + script, url)).ok();
    assertTrue(outcome.output().contains("all answers right"), outcome.toString());
  }

  /** The interpreter of a virtual environment that holds the client, made once per checkout. */
  private static Path environment(String requirement) throws IOException {
    Path folder = Files.createDirectories(Path.of("target/clients").toAbsolutePath());
    // another process may run tests of this checkout, too
    try (FileChannel lock =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      return environment(requirement, folder.resolve(requirement));
    }
  }

  private static Path environment(String requirement, Path venv) throws IOException {
    Path python = venv.resolve("bin/python");
    if (Files.exists(venv.resolve("ready"))) {
      return python;
    }
    try {
      Outcome made = Commands.run("python3", "-m", "venv", "--clear", venv.toString());
      Assumptions.assumeTrue(made.exitCode() == 0, "NOT TESTED, no python3 venv: " + made);
    } catch (IOException e) {
      Assumptions.abort("NOT TESTED: " + requirement + " needs python3: " + e.getMessage());
    }
    Commands.again(
            3,
            Path.of(""),
            Map.of("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
            List.of(python.toString(), "-m", "pip", "install", "-q", requirement, "urllib3<2"))
        .ok();
    Files.createFile(venv.resolve("ready"));
    return python;
  }
}
