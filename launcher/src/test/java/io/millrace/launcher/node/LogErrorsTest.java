package io.millrace.launcher.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogErrorsTest {
  @Test
  void findsTheCauseAndNothingElse(@TempDir Path dir) throws IOException {
    Path log = dir.resolve("server.log");
    String before = "[2026-01-01T00:00:00,000][ERROR][x] [node-1] of an earlier start\n";
    Files.writeString(
        log,
        before
            + """
            [2026-01-01T00:00:01,000][INFO ][o.o.n.Node] JVM arguments [-XX:+ExitOnOutOfMemoryError]
            [2026-01-01T00:00:02,000][ERROR][o.o.b.Bootstrap] [node-1] Exception
            org.opensearch.bootstrap.StartupException: BindHttpException
            \tat org.opensearch.Some.method(Some.java:1)
            Caused by: java.net.BindException: Address already in use
            Caused by: java.net.BindException: Address already in use
            """);
    List<String> found = LogErrors.last(Map.of(log, (long) before.length()), 8);
    assertEquals(
        List.of(
            "[2026-01-01T00:00:02,000][ERROR][o.o.b.Bootstrap] [node-1] Exception",
            "org.opensearch.bootstrap.StartupException: BindHttpException",
            "Caused by: java.net.BindException: Address already in use"),
        found);
    assertEquals(1, LogErrors.last(Map.of(log, 0L), 1).size());
  }

  @Test
  void aMissingLogTellsNothing(@TempDir Path dir) {
    assertEquals(List.of(), LogErrors.last(Map.of(dir.resolve("none"), 0L), 3));
  }
}
