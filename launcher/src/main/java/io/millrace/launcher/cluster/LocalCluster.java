package io.millrace.launcher.cluster;

import io.millrace.client.Health;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The cluster of one workspace as processes: starts what a {@link ClusterPlan} says, waits for it
 * and keeps {@link ClusterState} in step.
 */
public final class LocalCluster {
  private final Workspace place;

  public LocalCluster(Workspace place) {
    this.place = place;
  }

  /**
   * Starts the nodes and records them all, also those whose turn has not come: whoever interrupts
   * this finds the cluster they asked for. When a node cannot be started, or ends before all are
   * ready, stops the others again and leaves the record as it was before.
   *
   * @return the cluster's health
   */
  public Health start(
      ClusterPlan plan, Duration timeout, NodeProcess.Progress progress, List<String> notes)
      throws IOException, InterruptedException {
    List<NodeSpec> specs = plan.specs();
    Optional<ClusterState> before = ClusterState.read(place.stateFile());
    Map<String, ClusterState.Node> nodes = new TreeMap<>();
    plan.living().forEach(node -> nodes.put(node.name(), node));
    specs.forEach(spec -> nodes.put(spec.name(), recorded(spec, 0, 0)));
    List<NodeProcess> started = new ArrayList<>();
    boolean ready = false;
    try {
      begin(plan);
      record(plan, nodes);
      for (NodeSpec spec : specs) {
        NodeProcess process =
            configures(plan, spec) ? NodeProcess.start(spec) : NodeProcess.startAgain(spec);
        started.add(process);
        process.skippedFlags().forEach(f -> notes.add("this JDK does not know " + f));
        nodes.put(spec.name(), recorded(spec, process.pid(), process.startStamp()));
        record(plan, nodes);
      }
      Health health = null;
      for (NodeProcess process : started) {
        health = process.awaitGreen(nodes.size(), timeout, progressOver(started, progress));
      }
      ready = true;
      if (health == null) {
        throw new IllegalArgumentException("nothing to start");
      }
      FormationMarker.of(specs.getFirst()).end();
      return health;
    } finally {
      if (!ready && (started.size() < specs.size() || started.stream().anyMatch(p -> !p.alive()))) {
        for (NodeProcess process : started) {
          process.stop(Duration.ofSeconds(20));
        }
        if (before.isPresent()) {
          before.get().write(place.stateFile());
        } else {
          Files.deleteIfExists(place.stateFile());
        }
      }
    }
  }

  /**
   * Runs the one node of a plan in the foreground; it is not recorded.
   *
   * @return the node's exit code
   */
  public int runInForeground(ClusterPlan plan) throws IOException, InterruptedException {
    begin(plan);
    NodeSpec spec = plan.specs().getFirst();
    return NodeProcess.runInForeground(spec, configures(plan, spec));
  }

  /** Written at each start, but for settings that only the files of the last one know. */
  private static boolean configures(ClusterPlan plan, NodeSpec spec) {
    return plan.settings() != null || !Files.exists(spec.config().resolve("opensearch.yml"));
  }

  private static void begin(ClusterPlan plan) {
    NodeSpec first = plan.specs().getFirst();
    if (!first.initialManagers().isEmpty()) {
      FormationMarker.of(first).begin(first.initialManagers());
    }
  }

  private static ClusterState.Node recorded(NodeSpec spec, long pid, long startStamp) {
    return new ClusterState.Node(
        spec.name(),
        pid,
        startStamp,
        spec.httpPort(),
        spec.transportPort(),
        spec.heap(),
        spec.data().toString(),
        spec.serverLog().toString(),
        spec.consoleLog().toString(),
        spec.security() == null ? null : spec.security().secrets().dir().toString());
  }

  private void record(ClusterPlan plan, Map<String, ClusterState.Node> nodes) throws IOException {
    NodeSpec spec = plan.specs().getFirst();
    new ClusterState(
            ClusterState.VERSION,
            spec.cluster(),
            spec.profile(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            spec.tree().toString(),
            List.copyOf(nodes.values()),
            plan.settings())
        .write(place.stateFile());
  }

  /**
   * Waits until every node of a running cluster has joined it; one that was started a moment ago
   * may still be at it.
   *
   * @throws ExpectedFailure when a node ends meanwhile, or after the time given
   */
  public void awaitJoined(ClusterState state, Duration timeout, NodeProcess.Progress progress)
      throws IOException, InterruptedException {
    int all = state.nodes().size();
    for (ClusterState.Node node : state.nodes()) {
      node.process().await(health -> health.nodes() >= all, timeout, progress);
    }
    FormationMarker.of(state.nodes().getFirst()).end();
  }

  /**
   * Waits until a running cluster has a primary of every shard.
   *
   * @throws ExpectedFailure when the first node ends meanwhile, or after the time given
   */
  public void awaitNotRed(ClusterState state, Duration timeout, NodeProcess.Progress progress)
      throws InterruptedException {
    ClusterState.Node first = state.nodes().getFirst();
    first.process().await(health -> !health.status().equals("red"), timeout, progress);
  }

  /** While the first node is waited for, another may have ended: then waiting makes no sense. */
  private static NodeProcess.Progress progressOver(
      List<NodeProcess> started, NodeProcess.Progress shown) {
    return (waited, health) -> {
      for (NodeProcess process : started) {
        if (!process.alive()) {
          process.awaitGreen(1, Duration.ZERO, NodeProcess.Progress.NONE);
        }
      }
      shown.waiting(waited, health);
    };
  }
}
