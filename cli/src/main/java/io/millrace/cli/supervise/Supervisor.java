package io.millrace.cli.supervise;

import io.millrace.cli.node.Cluster;
import io.millrace.cli.node.ClusterState;
import io.millrace.cli.node.NodeProcess;
import io.millrace.cli.node.Workspace;
import io.millrace.cli.supervise.Incidents.Incident;
import io.millrace.cli.supervise.NodeWatch.Step;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Watches the nodes that {@code up} recorded until {@code down} removes the record.
 *
 * <p>A node that ended is started again with the configuration it had; one that gives no answer is
 * killed first (SIGKILL: a process that is stopped, or collects for ever, hears nothing else).
 * Nothing is done while another millrace command holds the workspace's lock.
 *
 * <p>Sources: issue 5, supervisor; design note guard (2026): a stock node whose OutOfMemoryError
 * handler ran out of memory itself lived on and answered nothing.
 */
final class Supervisor {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Workspace place;
  private final Cluster cluster;
  private final Duration patience;
  private final Incidents incidents;
  private final PrintWriter log;
  private final Map<String, NodeWatch> watches = new HashMap<>();
  private final Map<String, String> killedFor = new HashMap<>();

  Supervisor(Workspace place, Path javaHome, Duration patience, PrintWriter log) {
    this.place = place;
    this.cluster = new Cluster(place, javaHome);
    this.patience = patience;
    this.incidents = new Incidents(place.run());
    this.log = log;
  }

  /** Returns when nothing is recorded any more. */
  void run() throws IOException, InterruptedException {
    while (true) {
      Optional<ClusterState> state = ClusterState.read(place.stateFile());
      if (state.isEmpty()) {
        return;
      }
      for (ClusterState.Node node : state.get().nodes()) {
        look(node);
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  private void look(ClusterState.Node node) throws IOException, InterruptedException {
    NodeWatch watch = watches.computeIfAbsent(node.name(), name -> new NodeWatch(patience));
    boolean alive = node.alive();
    int timeout = (int) Math.max(200, patience.toMillis() / 6);
    boolean answers = alive && Probe.answers(node.httpPort(), timeout);
    Step step = watch.seen(System.nanoTime(), alive, answers);
    if (step == Step.NONE) {
      return;
    }
    try (RandomAccessFile file = new RandomAccessFile(place.run().resolve("lock").toFile(), "rw");
        FileLock lock = file.getChannel().tryLock()) {
      if (lock == null || !stillRecorded(node)) {
        return; // another command is at work; the next look decides anew
      }
      act(step, node);
    }
  }

  private boolean stillRecorded(ClusterState.Node node) {
    return ClusterState.read(place.stateFile())
        .map(state -> state.nodes().contains(node))
        .orElse(false);
  }

  private void act(Step step, ClusterState.Node node) throws IOException, InterruptedException {
    switch (step) {
      case KILL -> {
        String reason =
            "killed: no answer on port " + node.httpPort() + " for " + patience.toSeconds() + " s";
        say(node, reason);
        killedFor.put(node.name(), reason);
        node.process().kill9();
      }
      case START -> restart(node, reason(node));
      case GIVE_UP -> {
        String reason =
            reason(node)
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

  private String reason(ClusterState.Node node) {
    String killed = killedFor.remove(node.name());
    return killed == null ? Reason.of(node) : killed;
  }

  private void restart(ClusterState.Node node, String reason) throws IOException {
    ClusterState state = ClusterState.read(place.stateFile()).orElseThrow();
    List<ClusterState.Node> others =
        state.nodes().stream().filter(other -> !other.equals(node)).toList();
    NodeProcess process =
        NodeProcess.startAgain(cluster.planMissing(state, others).specs().getFirst());
    List<ClusterState.Node> nodes =
        state.nodes().stream()
            .map(other -> other.equals(node) ? node.startedAs(process) : other)
            .toList();
    state.withNodes(nodes).write(place.stateFile());
    say(node, "restarted as pid " + process.pid() + "; " + reason);
    note(node, reason, Incidents.RESTARTED);
  }

  private void note(ClusterState.Node node, String reason, String action) throws IOException {
    incidents.add(new Incident(now(), node.name(), node.pid(), reason, action));
  }

  private void say(ClusterState.Node node, String text) {
    log.println(now() + " " + node.name() + " (pid " + node.pid() + ") " + text);
    log.flush();
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
