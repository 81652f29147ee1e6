package io.millrace.bench.os;

import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes another JVM collect all of its heap, so that what it uses afterwards is what lives: {@code
 * jcmd PID GC.run} of the JDK that runs the bench, which is the one that runs the nodes.
 */
public final class FullCollection {
  private static final long LIMIT_SECONDS = 120;

  private FullCollection() {}

  /**
   * Collects and returns when it is done.
   *
   * @throws BenchFailure when this Java has no jcmd, the process takes no commands, or explicit
   *     collections are switched off in it
   */
  public static void run(long pid) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw new BenchFailure(
          "the live heap is measured with jcmd, which this Java has not; run the bench with a JDK");
    }
    try {
      Process process =
          new ProcessBuilder(List.of(jcmd.toString(), Long.toString(pid), "GC.run"))
              .redirectErrorStream(true)
              .start();
      // a few lines: they fit the pipe
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new BenchFailure(
            "jcmd " + pid + " GC.run was not done after " + LIMIT_SECONDS + " s");
      }
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.exitValue() != 0 || !said.contains("successfully")) {
        throw new BenchFailure("jcmd " + pid + " GC.run: " + said);
      }
    } catch (IOException e) {
      throw new BenchFailure("jcmd " + pid + " GC.run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }
}
