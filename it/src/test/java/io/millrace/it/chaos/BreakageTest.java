package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Java program behind the library. */
class BreakageTest {
  private static final String PROGRAM =
      """
      import java.nio.*;
      import java.nio.channels.*;
      import java.nio.file.*;
      public class Program {
        public static void main(String[] args) throws Exception {
          long begun = System.nanoTime();
          try (FileChannel file =
              FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1));
            file.force(false);
          }
          System.out.println((System.nanoTime() - begun) / 1_000_000);
          System.out.println(System.currentTimeMillis());
        }
      }
      """;

  @TempDir Path folder;
  private Breakage breakage;

  @BeforeEach
  void build() throws IOException {
    List<Breakage> built = Breakage.build(folder, 1);
    assumeTrue(!built.isEmpty(), "this machine has no C compiler");
    breakage = built.getFirst();
  }

  /** How many milliseconds a write took, and what time the program thinks it is. */
  private List<Long> run() throws Exception {
    Path source = folder.resolve("Program.java");
    Files.writeString(source, PROGRAM);
    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            source.toString(),
            folder.resolve("written").toString());
    java.environment().putAll(breakage.environment());
    Process process = java.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<Long> said = process.inputReader().lines().map(Long::parseLong).toList();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue());
    return said;
  }

  @Test
  void aDiskIsSlowAndItIsCounted() throws Exception {
    breakage.disk(Duration.ofMillis(700), Duration.ofMillis(300));
    long took = run().getFirst();
    assertTrue(took >= 1000, took + " ms");
    assertTrue(breakage.late() >= 2, breakage.late() + " calls were late");
  }

  @Test
  void aClockIsWrongAndTheDiskIsNot() throws Exception {
    Duration hour = Duration.ofHours(-1);
    breakage.clock(hour);
    long off = run().getLast() - System.currentTimeMillis();
    assertEquals(hour.toMillis(), off, 60_000);
    assertEquals(0, breakage.late());
  }
}
