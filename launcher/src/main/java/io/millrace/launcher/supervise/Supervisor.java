package io.millrace.launcher.supervise;

import io.millrace.launcher.cluster.ClusterPlanner;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.supervise.Incidents.Incident;
import io.millrace.launcher.supervise.NodeWatch.Step;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the nodes that {@code up} recorded until {@code down} removes the record.
 *
 * <p>A node that ended is started again with the configuration it had; one that gives no answer is
 * killed first (SIGKILL: a process that is stopped, or collects for ever, hears nothing else).
 * Nothing is done while another millrace command holds the workspace's lock.
 *
 * <p>What kills a node (a full disk, no memory to fork) meets this process too, so no failure ends
 * it: it is written to the log, once, and tried again. A node is never left running unrecorded:
 * {@code down} would not find it and {@code up} would meet its locks.
 *
 * <p>Why: a stock node whose OutOfMemoryError handler ran out of memory itself went on as a process
 * and answered nothing.
 */
public final class Supervisor {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Workspace place;
  private final ClusterPlanner planner;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final Incidents incidents;
  private final PrintWriter log;
  private final Map<String, Watched> nodes = new HashMap<>();
  private final Deque<Incident> unwritten = new ArrayDeque<>();
  private final Map<String, String> complaints = new HashMap<>();
  private boolean served;

  /** A node as it was recorded last, and why its process ended or was killed. */
  private static final class Watched {
    final NodeWatch watch;
    ClusterState.Node node;
    @Nullable String reason;

    Watched(NodeWatch watch, ClusterState.Node node) {
      this.watch = watch;
      this.node = node;
    }
  }

  /**
   * @param patience silence after which a node is killed
   * @param served whether the nodes recorded now have all answered
   * @param nanoTime the clock
   */
  public Supervisor(
      Workspace place,
      Path javaHome,
      Duration patience,
      boolean served,
      PrintWriter log,
      LongSupplier nanoTime) {
    this.place = place;
    this.planner = new ClusterPlanner(place, javaHome);
    this.patience = patience;
    this.served = served;
    this.nanoTime = nanoTime;
    this.incidents = new Incidents(place.run());
    this.log = log;
  }

  /** Returns when nothing is recorded any more. */
  public void run() throws InterruptedException {
    while (look()) {
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /**
   * One look at every node.
   *
   * @return whether anything is recorded
   */
  boolean look() throws InterruptedException {
    Optional<ClusterState> state;
    try {
      state = ClusterState.read(place.stateFile());
    } catch (RuntimeException e) {
      complain("record", "cannot find out what runs: " + e.getMessage());
      return true;
    }
    complaints.remove("record");
    if (state.isEmpty()) {
      return false;
    }
    for (ClusterState.Node node : state.get().nodes()) {
      try {
        look(node);
      } catch (IOException | RuntimeException e) {
        complain(node.name(), node.name() + ": " + e);
      }
    }
    served = false;
    writeIncidents();
    return true;
  }

  private void look(ClusterState.Node node) throws IOException, InterruptedException {
    Watched watched = watched(node);
    boolean alive = node.alive();
    int timeout = (int) Math.max(200, patience.toMillis() / 6);
    boolean answers = alive && AnswerProbe.answers(node.access(), timeout);
    Step step = watched.watch.seen(nanoTime.getAsLong(), alive, answers);
    if (step == Step.NONE) {
      return;
    }
    try (RandomAccessFile file = new RandomAccessFile(place.run().resolve("lock").toFile(), "rw");
        FileLock lock = tryLock(file)) {
      if (lock != null && stillRecorded(node)) {
        act(step, watched);
      }
      // else another command is at work; the next look decides anew
    }
  }

  private Watched watched(ClusterState.Node node) {
    Watched watched =
        nodes.computeIfAbsent(
            node.name(),
            name -> new Watched(new NodeWatch(patience, node.process().age(), served), node));
    if (watched.node.pid() != node.pid() || watched.node.startStamp() != node.startStamp()) {
      watched.watch.replaced(node.process().age());
      watched.reason = null;
    }
    watched.node = node;
    return watched;
  }

  private static @Nullable FileLock tryLock(RandomAccessFile file) throws IOException {
    try {
      return file.getChannel().tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very process
    }
  }

  private boolean stillRecorded(ClusterState.Node node) {
    return ClusterState.read(place.stateFile())
        .map(state -> state.nodes().contains(node))
        .orElse(false);
  }

  private void act(Step step, Watched watched) throws IOException, InterruptedException {
    ClusterState.Node node = watched.node;
    switch (step) {
      case KILL -> {
        watched.watch.killed();
        String reason =
            "killed: no answer on port " + node.httpPort() + " for " + patience.toSeconds() + " s";
        watched.reason = reason;
        say(node, reason);
        node.process().kill9();
      }
      case START -> restart(watched);
      case GIVE_UP -> {
        watched.watch.givenUp();
        String reason =
            reason(watched)
                + "; "
                + NodeWatch.ATTEMPTS
                + " restarts within "
                + NodeWatch.WINDOW.toMinutes()
                + " minutes did not last";
        say(node, "given up: " + reason);
        note(node, reason, Incidents.GIVEN_UP);
      }
      case NONE -> {}
    }
  }

  /** Found once: a start that fails removes what the process before printed. */
  private static String reason(Watched watched) {
    String reason = watched.reason;
    if (reason == null) {
      reason = EndReason.of(watched.node);
      watched.reason = reason;
    }
    return reason;
  }

  private void restart(Watched watched) throws IOException, InterruptedException {
    ClusterState.Node node = watched.node;
    String reason = reason(watched);
    NodeProcess process;
    try {
      process = startRecorded(watched);
    } catch (IOException | RuntimeException e) {
      watched.watch.notStarted(nanoTime.getAsLong());
      throw e;
    }
    watched.watch.started(nanoTime.getAsLong());
    watched.reason = null;
    complaints.remove(node.name());
    say(node, "restarted as pid " + process.pid() + "; " + reason);
    note(node, reason, Incidents.RESTARTED);
  }

  private NodeProcess startRecorded(Watched watched) throws IOException, InterruptedException {
    ClusterState.Node node = watched.node;
    ClusterState state = ClusterState.read(place.stateFile()).orElseThrow();
    NodeProcess process = NodeProcess.startAgain(planner.again(state, node));
    try {
      ClusterState.Node now = node.startedAs(process);
      state
          .withNodes(state.nodes().stream().map(other -> other.equals(node) ? now : other).toList())
          .write(place.stateFile());
      watched.node = now;
      return process;
    } catch (IOException | RuntimeException e) {
      process.kill9();
      throw e;
    }
  }

  private void note(ClusterState.Node node, String reason, String action) {
    unwritten.add(new Incident(now(), node.name(), node.pid(), reason, action));
  }

  /** Those that a full disk refuses wait here. */
  private void writeIncidents() {
    try {
      while (!unwritten.isEmpty()) {
        incidents.add(unwritten.getFirst());
        unwritten.removeFirst();
        complaints.remove("incidents");
      }
    } catch (IOException | RuntimeException e) {
      complain("incidents", "cannot keep why a node was restarted: " + e);
    }
  }

  private void say(ClusterState.Node node, String text) {
    log.println(now() + " " + node.name() + " (pid " + node.pid() + ") " + text);
    log.flush();
  }

  /** Once while it stays the same: there is a look every second. */
  private void complain(String subject, String text) {
    if (!text.equals(complaints.put(subject, text))) {
      log.println(now() + " " + text);
      log.flush();
    }
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
