package io.millrace.launcher.supervise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.secure.NodeAccess;
import io.millrace.launcher.supervise.Incidents.Incident;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {
  @TempDir private Path folder = Path.of("");

  private static final long SECOND = 1_000_000_000L;
  private final StringWriter log = new StringWriter();
  private long now;

  /** A tree whose node only sleeps, and a record of one that has ended. */
  private Workspace deadNode() throws Exception {
    Workspace place = new Workspace(folder, folder.resolve("tree"), folder, null);
    Path launcher = place.tree().resolve("bin/opensearch");
    Files.createDirectories(launcher.getParent());
    Files.writeString(launcher, "#!/bin/sh\nexec sleep 300\n");
    assertTrue(launcher.toFile().setExecutable(true));
    Path node = place.nodes().resolve("node-1");
    Path logs = Files.createDirectories(node.resolve("logs"));
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    ClusterState.Node dead =
        new ClusterState.Node(
            "node-1",
            ended.pid(),
            1,
            1,
            2,
            "1g",
            node.resolve("data").toString(),
            logs.resolve("millrace.log").toString(),
            logs.resolve("console.log").toString(),
            null);
    new ClusterState(ClusterState.VERSION, "c", null, "t", "x", List.of(dead), null)
        .write(place.stateFile());
    return place;
  }

  private Supervisor supervisor(Workspace place) {
    return new Supervisor(
        place,
        Path.of(System.getProperty("java.home")),
        Duration.ofSeconds(10),
        false,
        new PrintWriter(log),
        () -> now);
  }

  private static ClusterState.Node recorded(Workspace place) {
    return ClusterState.read(place.stateFile()).orElseThrow().nodes().getFirst();
  }

  private static Set<Long> children() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  /** A killed child is one until the JVM's own thread has read its exit code. */
  private static void awaitReaped(Set<Long> left) throws InterruptedException {
    long end = System.nanoTime() + 30 * SECOND;
    while (!left.equals(children()) && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertEquals(left, children(), "an orphan");
  }

  private static void assertRestarted(Workspace place) throws InterruptedException {
    ClusterState.Node node = recorded(place);
    try {
      assertTrue(node.alive());
    } finally {
      node.process().kill9();
    }
  }

  @Test
  void aNodeThatCannotBeRecordedIsNotLeftRunning() throws Exception {
    Workspace place = deadNode();
    ClusterState.Node dead = recorded(place);
    Set<Long> before = children();
    // as a full disk: the record cannot be written
    Path part = Files.createDirectory(place.run().resolve("cluster.json.part"));
    Supervisor supervisor = supervisor(place);
    assertTrue(supervisor.look());
    assertEquals(dead, recorded(place));
    awaitReaped(before);
    assertTrue(log.toString().contains("node-1: "), log.toString());
    assertTrue(new Incidents(place.run()).all().isEmpty());
    Files.delete(part);
    now += 60 * SECOND;
    assertTrue(supervisor.look());
    assertRestarted(place);
    assertEquals(1, new Incidents(place.run()).all().size());
  }

  @Test
  void aNodeThatCannotBeStartedIsTriedAgainForEver() throws Exception {
    Workspace place = deadNode();
    Supervisor supervisor = supervisor(place);
    // no place for the console's log
    Path logs = place.nodes().resolve("node-1/logs");
    Path moved = Files.move(logs, folder.resolve("moved"));
    for (int i = 0; i < 2 * NodeWatch.ATTEMPTS; i++) {
      assertTrue(supervisor.look());
      now += 60 * SECOND;
    }
    assertEquals(1, log.toString().lines().count(), log.toString());
    Files.move(moved, logs);
    assertTrue(supervisor.look());
    assertRestarted(place);
  }

  @Test
  void nothingIsLostWhileAnotherCommandHoldsTheLock() throws Exception {
    Workspace place = deadNode();
    ClusterState.Node dead = recorded(place);
    Supervisor supervisor = supervisor(place);
    try (RandomAccessFile file = new RandomAccessFile(place.run().resolve("lock").toFile(), "rw");
        FileLock lock = file.getChannel().lock()) {
      assertTrue(lock.isValid());
      for (int i = 0; i < 2 * NodeWatch.ATTEMPTS; i++) {
        assertTrue(supervisor.look());
        now += 30 * SECOND;
      }
      assertEquals(dead, recorded(place));
    }
    assertTrue(supervisor.look());
    assertRestarted(place);
    assertFalse(log.toString().contains("given up"), log.toString());
  }

  @Test
  void whyANodeWasRestartedIsKeptUntilItCanBeWritten() throws Exception {
    Workspace place = deadNode();
    Path part = Files.createDirectory(place.run().resolve("incidents.json.part"));
    Supervisor supervisor = supervisor(place);
    assertTrue(supervisor.look());
    ClusterState.Node node = recorded(place);
    assertTrue(node.alive());
    assertTrue(supervisor.look());
    assertEquals(node, recorded(place), "it still runs");
    Files.delete(part);
    assertTrue(supervisor.look());
    assertRestarted(place);
    assertEquals(1, new Incidents(place.run()).of("node-1").size());
  }

  @Test
  void aRecordThatCannotBeReadEndsNothing() throws Exception {
    Workspace place = deadNode();
    String record = Files.readString(place.stateFile());
    Supervisor supervisor = supervisor(place);
    Files.writeString(place.stateFile(), "{");
    assertTrue(supervisor.look());
    assertTrue(supervisor.look());
    assertEquals(1, log.toString().lines().count(), log.toString());
    Files.writeString(place.stateFile(), record);
    assertTrue(supervisor.look());
    assertRestarted(place);
    Files.delete(place.stateFile());
    assertFalse(supervisor.look());
  }

  @Test
  void aPortThatOnlyAcceptsGivesNoAnswer() throws IOException {
    // as a stopped process: the kernel accepts for it
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertFalse(AnswerProbe.answers(new NodeAccess(server.getLocalPort(), null), 200));
    }
  }

  @Test
  void anyStatusIsAnAnswer() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(() -> {
            try (Socket client = server.accept()) {
              client
                  .getOutputStream()
                  .write("HTTP/1.0 503 x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      answering.start();
      assertTrue(AnswerProbe.answers(new NodeAccess(server.getLocalPort(), null), 60_000));
      answering.join();
    }
  }

  @Test
  void incidentsAreKeptInOrder() throws IOException {
    Incidents incidents = new Incidents(folder);
    assertTrue(incidents.all().isEmpty());
    for (int i = 0; i < 60; i++) {
      incidents.add(new Incident("t" + i, i % 2 == 0 ? "a" : "b", i, "r", Incidents.RESTARTED));
    }
    assertEquals(50, incidents.all().size());
    assertEquals("t59", incidents.last("b").orElseThrow().at());
    assertEquals("t58", incidents.last("a").orElseThrow().at());
    Files.writeString(folder.resolve("incidents.json"), "[{");
    assertTrue(incidents.all().isEmpty(), "a damaged file is no reason to fail");
  }

  @Test
  void whatHappenedBeforeTheStartIsOver() throws IOException {
    Incidents incidents = new Incidents(folder);
    incidents.add(new Incident("2026-01-01T00:00:05.5Z", "a", 1, "r", Incidents.RESTARTED));
    assertTrue(incidents.last("a", "2026-01-01T00:00:05Z").isPresent());
    assertTrue(incidents.last("a", "2026-01-01T00:00:06Z").isEmpty());
    assertTrue(incidents.last("a", "long ago").isPresent());
  }

  @Test
  void theNodesOwnReasonComesFirst() throws IOException {
    Path log = Files.writeString(folder.resolve("millrace.log"), "[2026][ERROR] something\n");
    ClusterState.Node node =
        new ClusterState.Node(
            "node-1", 1, 1, 9200, 9300, "1g", "d", log.toString(), log + ".console", null);
    assertTrue(EndReason.of(node).contains("something"), EndReason.of(node));
    Files.write(folder.resolve(EndReason.LEFT), new byte[50]);
    assertTrue(EndReason.of(node).contains("something"), "zeros: it did not leave by itself");
    Files.writeString(folder.resolve(EndReason.LEFT), "guard.gc-debt: full\n");
    assertEquals("guard.gc-debt: full", EndReason.of(node));
    Files.write(folder.resolve(EndReason.HEAVIEST), "a search of [logs]\0\0".getBytes(UTF_8));
    assertEquals(
        "guard.gc-debt: full; the heaviest request was a search of [logs]", EndReason.of(node));
  }

  @Test
  void whatIsCertainComesBeforeWhatTheLogSays() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("millrace.log"),
            "[2026][ERROR] Caused by: java.net.ConnectException: refused\n");
    Path console = Files.writeString(folder.resolve("console.log"), "");
    ClusterState.Node node =
        new ClusterState.Node(
            "node-1", 1, 1, 9200, 9300, "1g", "d", log.toString(), console.toString(), null);
    String killed = EndReason.of(node);
    assertTrue(killed.startsWith("its process ended without a message (killed"), killed);
    assertTrue(killed.contains("may have another cause: "), killed);
    Files.writeString(console, "Terminating due to java.lang.OutOfMemoryError: Java heap space\n");
    String full = EndReason.of(node);
    assertTrue(full.startsWith("its process ended itself with exit code 3: Terminating"), full);
  }

  @Test
  void anErrorThatEndedTheProcessIsNamedWithItsThread() throws IOException {
    String said =
        "[2026-11-25T07:00:00,000][ERROR][o.o.b.OpenSearchUncaughtExceptionHandler] [node-1] fatal"
            + " error in thread [opensearch[node-1][search][T#2]], exiting\n";
    Path log =
        Files.writeString(
            folder.resolve("millrace.log"),
            "java.lang.IllegalStateException: before\n"
                + said
                + "java.lang.StackOverflowError: null\n\tat a.B.c(B.java:1)\n");
    Path console =
        Files.writeString(
            folder.resolve("console.log"),
            "fatal error in thread [opensearch[node-1][search][T#2]], exiting\n"
                + "java.lang.StackOverflowError\n\tat a.B.c(B.java:1)\n");
    ClusterState.Node node =
        new ClusterState.Node(
            "node-1", 1, 1, 9200, 9300, "1g", "d", log.toString(), console.toString(), null);
    String deep = EndReason.of(node);
    assertTrue(
        deep.startsWith(
            "its process ended itself with exit code 126: java.lang.StackOverflowError"),
        deep);
    assertTrue(deep.endsWith(" in thread [opensearch[node-1][search][T#2]]"), deep);
    Files.writeString(log, said + "java.lang.OutOfMemoryError: Java heap space\n");
    Files.writeString(console, "");
    String full = EndReason.of(node);
    assertTrue(full.contains("exit code 127: java.lang.OutOfMemoryError: Java heap"), full);
  }

  @Test
  void anOrderAndACrashAreToldFromAKill() throws IOException {
    String closing =
        "[2026-11-25T07:00:00,000][ERROR][o.o.x.Y                  ] [node-1] something\n"
            + "[2026-11-25T07:00:00,001][INFO ][o.o.n.Node               ] [node-1] closed\n";
    Path log = Files.writeString(folder.resolve("millrace.log"), "x".repeat(20_000) + closing);
    ClusterState.Node node =
        new ClusterState.Node(
            "node-1", 7, 1, 9200, 9300, "1g", "d", log.toString(), log + ".console", null);
    String stopped = EndReason.of(node);
    assertTrue(stopped.contains("exit code 143") && stopped.contains("15 (TERM)"), stopped);
    Files.writeString(
        log, "[2026-11-25T07:00:01,001][INFO ][o.o.n.Node ] [node-1] started\n", APPEND);
    assertTrue(EndReason.of(node).contains("signal 9"), "a later start: " + EndReason.of(node));
    Path report =
        Files.writeString(
            folder.resolve("hs_err_pid7.log"),
            "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n"
                + "#  SIGSEGV (0xb) at pc=0x1, pid=7, tid=8\n#\n");
    String crashed = EndReason.of(node);
    assertTrue(crashed.contains("SIGSEGV (0xb) at pc=0x1"), crashed);
    assertTrue(crashed.contains(report.toString()), crashed);
  }
}
