package io.millrace.launcher.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
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
    List<String> found = LogErrors.last(only(log, before.length()), 1, 8);
    assertEquals(
        List.of(
            "[2026-01-01T00:00:02,000][ERROR][o.o.b.Bootstrap] [node-1] Exception",
            "org.opensearch.bootstrap.StartupException: BindHttpException",
            "Caused by: java.net.BindException: Address already in use"),
        found);
    assertEquals(1, LogErrors.last(only(log, 0), 1, 1).size());
  }

  @Test
  void aCauseThatSeveralHandsLogIsToldOnce(@TempDir Path dir) throws IOException {
    Path log = dir.resolve("server.log");
    Files.writeString(
        log,
        """
        org.opensearch.bootstrap.StartupException: java.lang.IllegalArgumentException: unknown setting [a.b]
        Caused by: java.lang.IllegalArgumentException: unknown setting [a.b]
        Likely root cause: java.lang.IllegalArgumentException: unknown setting [a.b]
        Caused by: java.lang.IllegalStateException: another
        """);
    assertEquals(
        List.of(
            "Likely root cause: java.lang.IllegalArgumentException: unknown setting [a.b]",
            "Caused by: java.lang.IllegalStateException: another"),
        LogErrors.last(only(log, 0), 1, 8));
  }

  @Test
  void aMissingLogTellsNothing(@TempDir Path dir) {
    assertEquals(List.of(), LogErrors.last(only(dir.resolve("none"), 0), 1, 3));
  }

  @Test
  void whatAnEarlierStartSaidIsNotOfThisProcess(@TempDir Path dir) throws IOException {
    Path log = dir.resolve("server.log");
    Files.writeString(
        log,
        """
        [2026-01-01T00:00:00,000][INFO ][o.o.n.Node] [node-1] version[3.8.0], pid[77], build[x]
        Caused by: SettingsException[unknown setting [a.b]]
        [2026-01-01T00:01:00,000][INFO ][o.o.n.Node] [node-1] version[3.8.0], pid[78], build[x]
        [2026-01-01T00:01:09,000][INFO ][o.o.n.Node] [node-1] started
        """);
    assertEquals(List.of(), LogErrors.last(only(log, 0), 78, 8));
    assertEquals(1, LogErrors.last(only(log, 0), 77, 8).size());
    assertEquals(1, LogErrors.last(only(log, 0), 79, 8).size(), "unknown: better too much");
  }

  private static SequencedMap<Path, Long> only(Path log, long start) {
    return new TreeMap<>(Map.of(log, start));
  }
}
