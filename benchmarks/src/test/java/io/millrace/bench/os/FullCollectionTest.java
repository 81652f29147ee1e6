package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.term.BenchFailure;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FullCollectionTest {
  /** Counts its collections on request; a JVM must not ask itself. */
  public static final class Collected {
    public static void main(String[] args) throws Exception {
      System.out.write('1');
      System.out.flush();
      while (System.in.read() == '?') {
        long all =
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(bean -> Math.max(0, bean.getCollectionCount()))
                .sum();
        System.out.write((int) all);
        System.out.flush();
      }
    }
  }

  @Test
  void collectsInTheOtherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                Collected.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream out = process.getOutputStream();
        InputStream in = process.getInputStream()) {
      assertEquals('1', in.read());
      int before = ask(out, in);
      FullCollection.run(process.pid());
      assertTrue(ask(out, in) > before, "no collection");
    } finally {
      process.destroyForcibly();
    }
  }

  private static int ask(OutputStream out, InputStream in) throws Exception {
    out.write('?');
    out.flush();
    return in.read();
  }

  @Test
  void aProcessThatIsNoJvmIsNamed() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      BenchFailure failure =
          assertThrows(BenchFailure.class, () -> FullCollection.run(process.pid()));
      assertTrue(failure.getMessage().contains("jcmd " + process.pid()), failure.getMessage());
    } finally {
      process.destroyForcibly();
    }
  }
}
