package io.millrace.launcher.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.launcher.machine.ProcFs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForegroundProcessTest {
  /** Stands for {@code up --foreground}: a process of its own, for it is to be ended. */
  public static final class Foreground {
    public static void main(String[] args) throws Exception {
      NodeSpec spec = NodeSpec.builder(Path.of(args[0]), Path.of(args[1])).build();
      System.exit(NodeProcess.runInForeground(spec, true));
    }
  }

  /** Stands for the process of root's. */
  public static final class Stubborn {
    public static void main(String[] args) throws Exception {
      System.exit(ForegroundProcess.run(new ProcessBuilder(args), Duration.ofMillis(200)));
    }
  }

  @TempDir private Path dir;

  private static Process java(Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Ends it as a process manager does, once its child has told its pid. */
  private static void endsWithItsChild(Process process) throws Exception {
    long child = 0;
    try (BufferedReader out = process.inputReader()) {
      String said = out.readLine();
      child = Long.parseLong(said.strip());
      assertTrue(ProcFs.alive(child));
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertFalse(ProcFs.alive(child), "the child lives on");
      assertEquals(128 + 15, process.exitValue());
      child = 0;
    } finally {
      if (child > 0) {
        ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
      }
      process.destroyForcibly();
    }
  }

  @Test
  void aNodeInTheForegroundEndsWithTheCommand() throws Exception {
    Path tree = dir.resolve("tree");
    Files.createDirectories(tree.resolve("bin"));
    Files.createDirectories(tree.resolve("config"));
    Files.writeString(tree.resolve("config/jvm.options"), "");
    Files.writeString(tree.resolve("config/log4j2.properties"), "");
    Path launcher = tree.resolve("bin/opensearch");
    Files.writeString(launcher, "#!/bin/sh\necho $$\nexec sleep 300\n");
    assertTrue(launcher.toFile().setExecutable(true));
    endsWithItsChild(java(Foreground.class, tree.toString(), dir.resolve("node").toString()));
  }

  @Test
  void aChildThatDoesNotEndInTimeIsKilled() throws Exception {
    endsWithItsChild(
        java(Stubborn.class, "sh", "-c", "trap '' TERM; echo $$; while :; do sleep 0.1; done"));
  }

  @Test
  void theChildsExitCodeIsOurs() throws Exception {
    Process process = java(Stubborn.class, "sh", "-c", "exit 7");
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(7, process.exitValue());
  }
}
