package io.millrace.cli.node;

import io.millrace.cli.term.CommandFailure;
import io.millrace.cli.term.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of nodes on this machine: chooses what the user left open, starts the nodes, keeps
 * {@link ClusterState} in step.
 *
 * <p>Ports: node i (from 0) serves HTTP on {@code port + i} and talks to its peers on {@code port +
 * 100 + i}, so 9200 goes with 9300 as everybody knows it.
 */
public final class Cluster {
  private final Workspace place;
  private final Path javaHome;

  public Cluster(Workspace place, Path javaHome) {
    this.place = place;
    this.javaHome = javaHome;
  }

  /**
   * What will be started.
   *
   * @param living nodes of the same cluster that run already
   * @param settings what the user added to {@code opensearch.yml}; {@code null} when only the files
   *     of an earlier start know
   * @param notes decisions the user should know of
   */
  public record Plan(
      List<NodeSpec> specs,
      List<ClusterState.Node> living,
      @Nullable Map<String, String> settings,
      List<String> notes) {}

  /**
   * Decides what {@code up} starts: the missing nodes of a cluster of which some live; a cluster
   * that ended without {@code down} as it was, but for the user's wishes; else a new one.
   *
   * @param before what is recorded, {@code null} for nothing
   * @param living those of its nodes that run
   * @throws CommandFailure as {@link #plan(Wish)}; or when a port of the nodes that ended is taken
   */
  public Plan plan(Wish wish, @Nullable ClusterState before, List<ClusterState.Node> living)
      throws IOException {
    if (before == null || before.nodes().isEmpty()) {
      return plan(wish);
    }
    if (!living.isEmpty() || wish.none()) {
      Plan plan = planMissing(before, living);
      Ports.requireFree(plan.specs());
      return plan;
    }
    Plan plan = plan(wish.over(before));
    plan.notes()
        .add("what you left open is as in the cluster that ended; to forget that: millrace down");
    if (before.settings() == null) {
      plan.notes().add("its -E settings are not recorded: give them again");
    }
    return plan;
  }

  /**
   * Decides ports, heap and folders.
   *
   * @throws CommandFailure when a port the user named is taken, the heap does not fit, or the data
   *     belongs to a larger cluster
   */
  public Plan plan(Wish wish) throws IOException {
    List<String> notes = new ArrayList<>();
    Path data = wish.data() == null ? null : wish.data().toAbsolutePath();
    Path parent = data == null ? place.nodes() : data;
    int known = knownNodes(data);
    // data without an elected manager, maybe; nodes that wrote none yet count as well
    List<String> forming = known == 0 ? List.of() : new Forming(parent).managers();
    known = Math.max(known, forming.size());
    int nodes = wish.nodes() != null ? wish.nodes() : Math.max(1, known);
    if (nodes < known) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "the data here is of a cluster of " + known + " nodes; with " + nodes + " it cannot form",
          "Start it with --nodes "
              + known
              + ", or another cluster with another --data folder."
              + (forming.isEmpty() ? "" : " It never served: you may as well remove " + parent));
    }
    int port = Ports.choose(wish.port(), nodes, notes);
    String profile = wish.profile();
    String heap =
        wish.heap() != null
            ? Heap.checked(wish.heap(), nodes)
            : profile == null ? Heap.byDefault(nodes) : Heap.ofServer(nodes);
    if (Heap.tooLarge(heap)) {
      notes.add("a heap of " + heap + " holds less than one of 31g (references take 8 bytes)");
    }
    if (profile != null) {
      notes.addAll(new MachineCheck().findings(profile, nodes, Heap.bytes(heap), Heap.memory()));
    }
    List<String> seeds =
        IntStream.range(0, nodes).mapToObj(i -> "127.0.0.1:" + (port + Ports.PEER + i)).toList();
    List<String> managers =
        known > 0 ? forming : IntStream.range(0, nodes).mapToObj(Cluster::name).toList();
    List<NodeSpec> specs = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Path dir = place.nodes().resolve(name(i));
      specs.add(
          NodeSpec.builder(place.tree(), dir)
              .data(data == null ? dir.resolve("data") : data.resolve(name(i)))
              .name(name(i))
              .ports(port + i, port + Ports.PEER + i)
              .discovery(seeds, managers)
              .heap(heap)
              .profile(wish.profile())
              .settings(wish.settings())
              .javaHome(javaHome)
              .build());
    }
    return new Plan(specs, List.of(), wish.settings(), notes);
  }

  /** The nodes of a cluster that died while others live: as they were, to join them again. */
  public Plan planMissing(ClusterState state, List<ClusterState.Node> living) throws IOException {
    List<String> seeds = state.nodes().stream().map(n -> "127.0.0.1:" + n.transportPort()).toList();
    List<NodeSpec> specs = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (ClusterState.Node n : state.nodes()) {
      if (living.contains(n)) {
        continue;
      }
      notes.add(
          n.pid() == 0
              ? n.name() + " has not been started; starting it"
              : n.name() + " (pid " + n.pid() + ") has ended; starting it again as it was");
      specs.add(
          NodeSpec.builder(place.tree(), place.nodes().resolve(n.name()))
              .data(Path.of(n.data()))
              .name(n.name())
              .ports(n.httpPort(), n.transportPort())
              .discovery(seeds, Forming.of(n).managers())
              .heap(n.heap())
              .profile(state.profile())
              .settings(state.settings() == null ? Map.of() : state.settings())
              .javaHome(javaHome)
              .build());
    }
    return new Plan(specs, living, state.settings(), notes);
  }

  private static String name(int i) {
    return "node-" + (i + 1);
  }

  /** How many nodes have started here before: those with a cluster's state on disk. */
  private int knownNodes(@Nullable Path data) throws IOException {
    int known = 0;
    for (int i = 0; ; i++) {
      Path dir =
          data == null ? place.nodes().resolve(name(i)).resolve("data") : data.resolve(name(i));
      if (!Files.isDirectory(dir.resolve("nodes/0/_state"))) {
        return known;
      }
      try (Stream<Path> files = Files.list(dir.resolve("nodes/0/_state"))) {
        if (files.findAny().isEmpty()) {
          return known;
        }
      }
      known = i + 1;
    }
  }

  /**
   * Starts the nodes and records them all, also those whose turn has not come: whoever interrupts
   * this finds the cluster they asked for. When a node cannot be started, or ends before all are
   * ready, stops the others again and leaves the record as it was before.
   *
   * @return the cluster's health
   */
  public Health start(
      Plan plan, Duration timeout, NodeProcess.Progress progress, List<String> notes)
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
      Forming.of(specs.getFirst()).end();
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
  public int runInForeground(Plan plan) throws IOException, InterruptedException {
    begin(plan);
    NodeSpec spec = plan.specs().getFirst();
    return NodeProcess.runInForeground(spec, configures(plan, spec));
  }

  /** Written at each start, but for settings that only the files of the last one know. */
  private static boolean configures(Plan plan, NodeSpec spec) {
    return plan.settings() != null || !Files.exists(spec.config().resolve("opensearch.yml"));
  }

  private static void begin(Plan plan) {
    NodeSpec first = plan.specs().getFirst();
    if (!first.initialManagers().isEmpty()) {
      Forming.of(first).begin(first.initialManagers());
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
        spec.consoleLog().toString());
  }

  private void record(Plan plan, Map<String, ClusterState.Node> nodes) throws IOException {
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
   * @throws CommandFailure when a node ends meanwhile, or after the time given
   */
  public void awaitJoined(ClusterState state, Duration timeout, NodeProcess.Progress progress)
      throws IOException, InterruptedException {
    int all = state.nodes().size();
    for (ClusterState.Node node : state.nodes()) {
      node.process().await(health -> health.nodes() >= all, timeout, progress);
    }
    Forming.of(state.nodes().getFirst()).end();
  }

  /**
   * Waits until a running cluster has a primary of every shard.
   *
   * @throws CommandFailure when the first node ends meanwhile, or after the time given
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
