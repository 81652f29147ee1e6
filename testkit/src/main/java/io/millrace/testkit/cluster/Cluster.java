package io.millrace.testkit.cluster;

import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Real nodes that form one cluster on loopback: stock, Millrace, or both kinds mixed.
 *
 * <pre>{@code
 * try (Cluster cluster = Cluster.of(Tree.MILLRACE, 3).set("node.attr.zone", "a").start()) {
 *   cluster.http().put("/logs", "{}").ok();
 *   cluster.node(1).kill();
 * }
 * }</pre>
 *
 * <p>Closing it kills the processes and removes every file; with {@code -Dmillrace.test.keep=true}
 * the files stay and their folder is printed. A JVM that ends without closing still takes its nodes
 * along (shutdown hook).
 */
public final class Cluster implements AutoCloseable {
  /**
   * For the JVM of a node that lives for minutes: the second compiler is 8 to 9 of the 24
   * CPU-seconds of a start, and pays only later.
   */
  public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

  private final Path folder;
  private final List<ClusterNode> nodes;
  private final Thread reaper = new Thread(this::killAll, "kill-test-nodes");

  private Cluster(Path folder, List<ClusterNode> nodes) {
    this.folder = folder;
    this.nodes = nodes;
  }

  /** A cluster of so many nodes of one tree. */
  public static Builder of(Tree tree, int nodes) {
    Builder builder = new Builder();
    for (int i = 0; i < nodes; i++) {
      builder.node(tree);
    }
    return builder;
  }

  /** An empty plan, for nodes of different trees. */
  public static Builder mixed() {
    return new Builder();
  }

  /** What the cluster is made of; every method returns the builder itself. */
  public static final class Builder {
    private final List<Path> homes = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<Integer, Map<String, String>> own = new LinkedHashMap<>();
    private final Map<Integer, Map<String, String>> environments = new LinkedHashMap<>();
    private final Map<Integer, String> profiles = new TreeMap<>();
    private final List<String> flags = new ArrayList<>();
    private String heap = "512m";
    private boolean optimized;
    private boolean archives = true;
    private IntUnaryOperator published = port -> port;

    private Builder() {}

    /** One more node of this tree. */
    public Builder node(Tree tree) {
      return node(tree.home());
    }

    /** One more node of a tree at this place, for example a copy with a plugin installed. */
    public Builder node(Path home) {
      homes.add(home);
      return this;
    }

    /** A line of every node's {@code opensearch.yml}. */
    public Builder set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** A line of one node's {@code opensearch.yml}. */
    public Builder set(int node, String key, String value) {
      own.computeIfAbsent(node, ignored -> new TreeMap<>()).put(key, value);
      return this;
    }

    /** Further environment of one node's process. */
    public Builder env(int node, Map<String, String> more) {
      environments.put(node, Map.copyOf(more));
      return this;
    }

    /** The JVM profile of one node, as {@code millrace up --jvm-profile} takes it. */
    public Builder profile(int node, String name) {
      profiles.put(node, name);
      return this;
    }

    /** Heap of every node as the JVM writes it, {@code 512m} unless told. */
    public Builder heap(String size) {
      heap = size;
      return this;
    }

    /** Flags of every node's JVM, after those of its configuration: of two the later counts. */
    public Builder jvm(String... more) {
      flags.addAll(List.of(more));
      return this;
    }

    /**
     * Every compiler of the JVM, as in production. Without it the nodes have the first one only, so
     * that a start needs far less CPU: for tests of what a node answers, not of what it bears.
     */
    public Builder optimized() {
      optimized = true;
      return this;
    }

    /** Every class loaded by each start, and none mapped: for tests of what a start costs. */
    public Builder withoutArchives() {
      archives = false;
      return this;
    }

    /**
     * What stands between the nodes: for the transport port of each node, in order, the port under
     * which the others reach it.
     */
    public Builder publishing(IntUnaryOperator portInFront) {
      published = portInFront;
      return this;
    }

    /**
     * Starts the nodes and waits until all have joined and the cluster is at least yellow.
     *
     * @throws AssertionError when a node does not come up, with the end of its log
     */
    public Cluster start() {
      try {
        Cluster cluster = plan();
        try {
          cluster.startAll();
        } catch (RuntimeException | Error e) {
          cluster.close();
          throw e;
        }
        return cluster;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private Cluster plan() throws IOException {
      Path folder = Files.createTempDirectory("millrace-it-");
      // the nodes' user may be another one
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      @Nullable ServerUser user =
          ServerUser.root() ? ServerUser.choose(List.of(), System.getenv()) : null;
      int size = homes.size();
      List<Integer> ports = FreePorts.free(2 * size);
      List<String> seeds = new ArrayList<>();
      List<String> managers = new ArrayList<>();
      int[] fronts =
          ports.subList(size, 2 * size).stream().mapToInt(published::applyAsInt).toArray();
      if (size > 1) {
        Arrays.stream(fronts).forEach(port -> seeds.add("127.0.0.1:" + port));
        IntStream.range(0, size).forEach(node -> managers.add("node-" + node));
      }
      List<ClusterNode> nodes = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Path dir = Files.createDirectory(folder.resolve("node-" + i));
        Path repository = Files.createDirectory(dir.resolve("repository"));
        Path home = readable(homes.get(i), folder, user);
        NodeSpec.Builder spec =
            NodeSpec.builder(home, dir)
                .name("node-" + i)
                .cluster(folder.getFileName().toString())
                .ports(ports.get(i), ports.get(size + i))
                .discovery(seeds, managers)
                .heap(heap)
                .profile(profiles.get(i))
                .setting("path.repo", repository.toString())
                // one machine's disk may be nearly full of other things
                .setting("cluster.routing.allocation.disk.threshold_enabled", "false")
                .settings(settings)
                .settings(own.getOrDefault(i, Map.of()))
                .user(user);
        if (fronts[i] != ports.get(size + i)) {
          spec.setting("transport.publish_port", Integer.toString(fronts[i]));
        }
        if (!optimized) {
          spec.jvmOption(SHORT_LIVED);
        }
        flags.forEach(spec::jvmOption);
        environments.getOrDefault(i, Map.of()).forEach(spec::env);
        if (archives && Archives.keptFor(home)) {
          spec.env(Archives.VARIABLE, Archives.ready(home).toString());
        }
        nodes.add(new ClusterNode(spec.build()));
      }
      return new Cluster(folder, List.copyOf(nodes));
    }

    /** The tree itself, or a copy of it where the nodes' user may read. */
    private static Path readable(Path home, Path folder, @Nullable ServerUser user)
        throws IOException {
      if (user == null) {
        return home;
      }
      List<String> test = new ArrayList<>(user.prefix());
      test.addAll(List.of("test", "-r", home.resolve("bin/opensearch").toString()));
      try {
        if (new ProcessBuilder(test).start().waitFor() == 0) {
          return home;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      Path copy = folder.resolve("tree-" + Integer.toHexString(home.hashCode()));
      if (!Files.exists(copy)) {
        Folders.copy(home, copy);
      }
      return copy;
    }
  }

  private void startAll() {
    Runtime.getRuntime().addShutdownHook(reaper);
    nodes.forEach(ClusterNode::start);
    nodes.forEach(ClusterNode::awaitAnswer);
    awaitNodes(nodes.size());
  }

  /** All nodes, in the order of the plan. */
  public List<ClusterNode> nodes() {
    return nodes;
  }

  /** One node, counted from 0. */
  public ClusterNode node(int index) {
    return nodes.get(index);
  }

  /** A client of the first node that lives. */
  public JsonHttp http() {
    return anyAlive().http();
  }

  /** Waits until so many nodes are in the cluster, as the first living node sees it. */
  public void awaitNodes(int count) {
    awaitHealth("wait_for_nodes=" + count);
  }

  /** Waits until every shard of every index is in place. */
  public void awaitGreen() {
    awaitHealth("wait_for_status=green&wait_for_no_initializing_shards=true");
  }

  /** Waits until every primary is in place. */
  public void awaitYellow() {
    awaitHealth("wait_for_status=yellow");
  }

  private void awaitHealth(String condition) {
    ClusterNode asked = anyAlive();
    try {
      Await.until(
          "health with " + condition,
          Duration.ofMinutes(5),
          () -> asked.http().get("/_cluster/health?timeout=5s&" + condition).status() == 200);
    } catch (AssertionError e) {
      String state = "";
      try {
        state =
            asked.http().get("/_cluster/health?timeout=1s").body()
                + "\n"
                + asked
                    .http()
                    .get("/_cat/shards?v&h=index,shard,prirep,state,node,unassigned.reason")
                    .body();
      } catch (UncheckedIOException unreachable) {
        state = unreachable.getMessage() + "";
      }
      throw new AssertionError(e.getMessage() + "\n" + state + "\n" + asked.tail(), e);
    }
  }

  private ClusterNode anyAlive() {
    return nodes.stream()
        .filter(ClusterNode::alive)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no node lives"));
  }

  private void killAll() {
    nodes.forEach(ClusterNode::kill);
  }

  @Override
  public void close() {
    killAll();
    nodes.forEach(node -> node.http().close());
    if (Boolean.getBoolean("millrace.test.keep")) {
      System.out.println("kept: " + folder);
    } else {
      Folders.remove(folder);
    }
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // the JVM is ending: the hook itself runs
    }
  }
}
