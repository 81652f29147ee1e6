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
  /** HTTP to transport. */
  private static final int PEER = 100;

  private static final int DEFAULT_PORT = 9200;

  private final Workspace place;
  private final Path javaHome;

  public Cluster(Workspace place, Path javaHome) {
    this.place = place;
    this.javaHome = javaHome;
  }

  /**
   * What the user asked for; {@code null} or empty leaves it to us.
   *
   * @param data parent of the nodes' data folders
   */
  public record Wish(
      @Nullable Integer nodes,
      @Nullable Integer port,
      @Nullable String heap,
      @Nullable String profile,
      @Nullable Path data,
      Map<String, String> settings) {
    /** Whether everything is left open. */
    public boolean none() {
      return nodes == null
          && port == null
          && heap == null
          && profile == null
          && data == null
          && settings.isEmpty();
    }
  }

  /**
   * What will be started.
   *
   * @param notes decisions the user should know of
   */
  public record Plan(List<NodeSpec> specs, List<String> notes) {}

  /**
   * Decides ports, heap and folders.
   *
   * @throws CommandFailure when a port the user named is taken, the heap does not fit, or the data
   *     belongs to a larger cluster
   */
  public Plan plan(Wish wish) throws IOException {
    List<String> notes = new ArrayList<>();
    Path data = wish.data() == null ? null : wish.data().toAbsolutePath();
    int known = knownNodes(data);
    int nodes = wish.nodes() != null ? wish.nodes() : Math.max(1, known);
    if (nodes < known) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "the data here is of a cluster of " + known + " nodes; with " + nodes + " it cannot form",
          "Start it with --nodes " + known + ", or another cluster with another --data folder.");
    }
    int port = port(wish.port(), nodes, notes);
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
        IntStream.range(0, nodes).mapToObj(i -> "127.0.0.1:" + (port + PEER + i)).toList();
    List<String> managers =
        known > 0 ? List.of() : IntStream.range(0, nodes).mapToObj(Cluster::name).toList();
    List<NodeSpec> specs = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Path dir = place.nodes().resolve(name(i));
      specs.add(
          NodeSpec.builder(place.tree(), dir)
              .data(data == null ? dir.resolve("data") : data.resolve(name(i)))
              .name(name(i))
              .ports(port + i, port + PEER + i)
              .discovery(seeds, managers)
              .heap(heap)
              .profile(wish.profile())
              .settings(wish.settings())
              .javaHome(javaHome)
              .build());
    }
    return new Plan(specs, notes);
  }

  /** The nodes of a cluster that died while others live: as they were, to join them again. */
  public Plan planMissing(ClusterState state, List<ClusterState.Node> living) {
    List<String> seeds = state.nodes().stream().map(n -> "127.0.0.1:" + n.transportPort()).toList();
    List<NodeSpec> specs = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (ClusterState.Node n : state.nodes()) {
      if (living.contains(n)) {
        continue;
      }
      notes.add(n.name() + " (pid " + n.pid() + ") has ended; starting it again as it was");
      specs.add(
          NodeSpec.builder(place.tree(), place.nodes().resolve(n.name()))
              .data(Path.of(n.data()))
              .name(n.name())
              .ports(n.httpPort(), n.transportPort())
              .discovery(seeds, List.of())
              .heap(n.heap())
              .profile(state.profile())
              .javaHome(javaHome)
              .build());
    }
    return new Plan(specs, notes);
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

  private static int port(@Nullable Integer asked, int nodes, List<String> notes) {
    PortHolder holder = new PortHolder();
    if (asked != null) {
      if (asked < 1 || asked + PEER + nodes > 65536) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "--port " + asked + " is not possible",
            "Give a port from 1024 to " + (65535 - PEER - nodes) + ".");
      }
      int taken = firstTaken(asked, nodes);
      if (taken > 0) {
        throw new CommandFailure(
            ExitCode.ENVIRONMENT,
            "port " + taken + " is taken by " + holder.of(taken).orElse("a process unknown"),
            "Stop that, or choose another --port (the nodes take "
                + span(asked, nodes)
                + " and "
                + span(asked + PEER, nodes)
                + ").");
      }
      return asked;
    }
    int taken = firstTaken(DEFAULT_PORT, nodes);
    if (taken == 0) {
      return DEFAULT_PORT;
    }
    int step = Math.max(10, nodes);
    for (int port = DEFAULT_PORT + step; port + nodes <= DEFAULT_PORT + PEER; port += step) {
      if (firstTaken(port, nodes) == 0) {
        notes.add(
            "port "
                + taken
                + " is taken by "
                + holder.of(taken).orElse("a process unknown")
                + "; using "
                + port
                + " instead");
        return port;
      }
    }
    throw new CommandFailure(
        ExitCode.ENVIRONMENT,
        "no free ports between " + DEFAULT_PORT + " and " + (DEFAULT_PORT + PEER),
        "Choose one with --port.");
  }

  private static String span(int port, int nodes) {
    return nodes == 1 ? Integer.toString(port) : port + "-" + (port + nodes - 1);
  }

  private static int firstTaken(int port, int nodes) {
    for (int i = 0; i < nodes; i++) {
      for (int p : new int[] {port + i, port + PEER + i}) {
        if (!PortHolder.free(p)) {
          return p;
        }
      }
    }
    return 0;
  }

  /**
   * Starts the nodes and records them; when one ends before all are ready, stops the others again.
   *
   * @return the cluster's health
   */
  public Health start(
      List<NodeSpec> specs,
      List<ClusterState.Node> living,
      Duration timeout,
      NodeProcess.Progress progress,
      List<String> notes)
      throws IOException, InterruptedException {
    List<ClusterState.Node> recorded = new ArrayList<>(living);
    List<NodeProcess> started = new ArrayList<>();
    boolean ready = false;
    try {
      for (NodeSpec spec : specs) {
        NodeProcess process = NodeProcess.start(spec);
        started.add(process);
        process.skippedFlags().forEach(f -> notes.add("this JDK does not know " + f));
        recorded.add(
            new ClusterState.Node(
                spec.name(),
                process.pid(),
                process.startStamp(),
                spec.httpPort(),
                spec.transportPort(),
                spec.heap(),
                spec.data().toString(),
                spec.serverLog().toString(),
                spec.consoleLog().toString()));
        recorded.sort(java.util.Comparator.comparing(ClusterState.Node::name));
        new ClusterState(
                ClusterState.VERSION,
                spec.cluster(),
                spec.profile(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                spec.tree().toString(),
                recorded)
            .write(place.stateFile());
      }
      Health health = null;
      for (NodeProcess process : started) {
        health = process.awaitGreen(recorded.size(), timeout, progressOver(started, progress));
      }
      ready = true;
      if (health == null) {
        throw new IllegalArgumentException("nothing to start");
      }
      return health;
    } finally {
      if (!ready && started.stream().anyMatch(p -> !p.alive())) {
        for (NodeProcess process : started) {
          process.stop(Duration.ofSeconds(20));
        }
        if (living.isEmpty()) {
          Files.deleteIfExists(place.stateFile());
        }
      }
    }
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
