package io.millrace.bench.peers;

import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of a side; what it says on its error stream goes to a file of the side's folder. */
final class PeerProcess implements AutoCloseable {
  private static final int LAST_LINES = 15;
  private static final int END_SECONDS = 60;

  private final Process process;
  private final Path errors;

  private PeerProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /** Starts a command in a folder, with pipes to its input and from its output. */
  static PeerProcess start(List<String> command, Path home) throws IOException {
    Path errors = Files.createDirectories(home).resolve("errors.txt");
    Process process =
        new ProcessBuilder(command).directory(home.toFile()).redirectError(errors.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "bench-peer-end"));
    return new PeerProcess(process, errors);
  }

  Process process() {
    return process;
  }

  /** A failure that tells the last lines of the process. */
  BenchFailure failure(String what) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(errors), StandardCharsets.UTF_8).lines().toList();
    List<String> end = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    return new BenchFailure(what + ": " + String.join("\n", end));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
