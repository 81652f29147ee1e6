package io.millrace.launcher.cluster;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.machine.Heap;
import io.millrace.launcher.machine.MachineCheck;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.secure.SecuredWorkspace;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a cluster on this machine consists of: what the user asked for, what is recorded and
 * what lies on disk become a {@link ClusterPlan}. Starts and writes nothing.
 *
 * <p>Ports: node i (from 0) serves HTTP on {@code port + i} and talks to its peers on {@code port +
 * 100 + i}, so 9200 goes with 9300 as everybody knows it.
 */
public final class ClusterPlanner {
  private final Workspace place;
  private final Path javaHome;
  private final SecuredWorkspace secured;

  /**
   * @param javaHome the JDK that runs the nodes
   */
  public ClusterPlanner(Workspace place, Path javaHome) {
    this.place = place;
    this.javaHome = javaHome;
    this.secured = new SecuredWorkspace(place);
  }

  /**
   * Decides what {@code up} starts: the missing nodes of a cluster of which some live; a cluster
   * that ended without {@code down} as it was, but for what the user asks now; else a new one.
   *
   * @param before what is recorded, {@code null} for nothing
   * @param living those of its nodes that run
   * @throws ExpectedFailure as {@link #plan(UpRequest)}; or when a port of the nodes that ended is
   *     taken
   */
  public ClusterPlan plan(
      UpRequest request, @Nullable ClusterState before, List<ClusterState.Node> living)
      throws IOException {
    if (before == null || before.nodes().isEmpty()) {
      return plan(request);
    }
    if (!living.isEmpty() || request.none()) {
      ClusterPlan plan = planMissing(before, living);
      NodePorts.requireFree(plan.specs());
      return plan;
    }
    ClusterPlan plan = plan(request.over(before));
    plan.notes()
        .add(
            "options that were not given are those of the cluster that ended; to forget "
                + "them: millrace down");
    if (before.settings() == null) {
      plan.notes().add("its -E settings are not recorded: give them again");
    }
    return plan;
  }

  /**
   * Decides ports, heap and folders.
   *
   * @throws ExpectedFailure when a port the user named is taken, the heap does not fit, or the data
   *     belongs to a larger cluster
   */
  public ClusterPlan plan(UpRequest request) throws IOException {
    List<String> notes = new ArrayList<>();
    Path data = request.data() == null ? null : request.data().toAbsolutePath();
    Path parent = data == null ? place.nodes() : data;
    int known = knownNodes(data);
    // data without an elected manager, maybe; nodes that wrote none yet count as well
    List<String> forming = known == 0 ? List.of() : new FormationMarker(parent).managers();
    known = Math.max(known, forming.size());
    int nodes = request.nodes() != null ? request.nodes() : Math.max(1, known);
    if (nodes < known) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "the data here belongs to a cluster of "
              + known
              + " nodes; with "
              + nodes
              + " it cannot form",
          "Start it with --nodes "
              + known
              + ", or another cluster with another --data folder."
              + (forming.isEmpty() ? "" : " It never served: you may as well remove " + parent));
    }
    int port = NodePorts.choose(request.port(), nodes, notes);
    String profile = request.profile();
    String heap =
        request.heap() != null
            ? Heap.checked(request.heap(), nodes)
            : profile == null ? Heap.byDefault(nodes) : Heap.ofServer(nodes);
    if (Heap.tooLarge(heap)) {
      notes.add("a heap of " + heap + " holds less than one of 31g (references take 8 bytes)");
    }
    if (profile != null) {
      notes.addAll(new MachineCheck().findings(profile, nodes, Heap.bytes(heap), Heap.memory()));
    }
    List<String> seeds =
        IntStream.range(0, nodes)
            .mapToObj(i -> "127.0.0.1:" + (port + NodePorts.PEER + i))
            .toList();
    List<String> managers =
        known > 0 ? forming : IntStream.range(0, nodes).mapToObj(ClusterPlanner::name).toList();
    boolean secure = request.secure() != null ? request.secure() : secured.on();
    List<NodeSpec> specs = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Path dir = place.nodes().resolve(name(i));
      specs.add(
          builder(dir)
              .data(data == null ? dir.resolve("data") : data.resolve(name(i)))
              .name(name(i))
              .ports(port + i, port + NodePorts.PEER + i)
              .discovery(seeds, managers)
              .heap(heap)
              .profile(request.profile())
              .settings(request.settings())
              .security(secure ? secured.of(name(i)) : null)
              .exposed(request.exposed())
              .javaHome(javaHome)
              .build());
    }
    return new ClusterPlan(specs, List.of(), request.settings(), notes);
  }

  /** The nodes of a cluster that died while others live: as they were, to join them again. */
  ClusterPlan planMissing(ClusterState state, List<ClusterState.Node> living) throws IOException {
    List<NodeSpec> specs = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (ClusterState.Node node : state.nodes()) {
      if (living.contains(node)) {
        continue;
      }
      notes.add(
          node.pid() == 0
              ? node.name() + " has not been started; starting it"
              : node.name() + " (pid " + node.pid() + ") has ended; starting it again as it was");
      specs.add(again(state, node));
    }
    return new ClusterPlan(specs, living, state.settings(), notes);
  }

  /** A recorded node as it was, to join its cluster again. */
  public NodeSpec again(ClusterState state, ClusterState.Node node) throws IOException {
    List<String> seeds = state.nodes().stream().map(n -> "127.0.0.1:" + n.transportPort()).toList();
    return builder(place.nodes().resolve(node.name()))
        .data(Path.of(node.data()))
        .name(node.name())
        .ports(node.httpPort(), node.transportPort())
        .discovery(seeds, FormationMarker.of(node).managers())
        .heap(node.heap())
        .profile(state.profile())
        .settings(state.settings() == null ? Map.of() : state.settings())
        .security(node.secrets() == null ? null : secured.of(node.name()))
        .exposed(true) // what it runs with was allowed when it began
        .javaHome(javaHome)
        .build();
  }

  private NodeSpec.Builder builder(Path dir) throws IOException {
    return NodeSpec.builder(place.tree(), dir)
        .env("OPENSEARCH_ARCHIVES", Files.createDirectories(place.archives()).toString());
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
}
