package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.chaos.Network.Direction;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Draws faults: every kind once in an order of the seed, then all of them again in another. A third
 * of the targets is the cluster manager, a third has a primary, and a third is any node.
 */
final class Faults {
  private static final int LEAST_MILLIS = 3_000;
  private static final int MOST_MILLIS = 12_000;

  private final Cluster cluster;
  private final Network network;
  private final List<FaultKind> kinds;
  private final Optional<BoundedDisk> disk;
  private final List<Breakage> breakages;
  private final List<Path> trees;
  private final boolean ours;
  private final Random random;
  private final List<FaultKind> deck = new ArrayList<>();

  /**
   * @param kinds what is drawn
   * @param disk that of the last node, where it has one of its own
   * @param breakages of each node, where there are any
   * @param trees where nodes run from, the first at first; more than one for upgrades
   * @param ours whether every node has the plugin, also later
   */
  Faults(
      Cluster cluster,
      Network network,
      List<FaultKind> kinds,
      Optional<BoundedDisk> disk,
      List<Breakage> breakages,
      List<Path> trees,
      boolean ours,
      long seed) {
    this.cluster = cluster;
    this.network = network;
    this.kinds = kinds;
    this.disk = disk;
    this.breakages = breakages;
    this.trees = trees;
    this.ours = ours;
    this.random = new Random(seed);
  }

  /** One that was drawn. */
  record Drawn(FaultKind kind, Fault fault) {}

  /** What is drawn. */
  List<FaultKind> kinds() {
    return kinds;
  }

  /** The next one. The cluster is whole. */
  Drawn next() {
    if (deck.isEmpty()) {
      deck.addAll(kinds);
      Collections.shuffle(deck, random);
    }
    FaultKind kind = deck.removeFirst();
    return new Drawn(kind, draw(kind));
  }

  /** For how many milliseconds it lasts once it has begun. */
  long lasts() {
    return between(LEAST_MILLIS, MOST_MILLIS);
  }

  private long between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  private Fault draw(FaultKind kind) {
    int target = target();
    ClusterNode node = cluster.node(target);
    return switch (kind) {
      case KILL -> new KilledNodes(random.nextInt(5) == 0 ? cluster.nodes() : List.of(node));
      case STOP -> new StoppedNode(node);
      case PARTITION, ONE_WAY -> apart(kind, target);
      case PARTIAL -> {
        int other = (target + 1 + random.nextInt(size() - 1)) % size();
        yield partition(
            "no connection between node-" + target + " and node-" + other,
            Set.of(new Direction(target, other), new Direction(other, target)));
      }
      case HANDOVER -> {
        int manager = manager();
        int to = (manager + 1 + random.nextInt(size() - 1)) % size();
        yield new ManagerHandover(cluster.node(manager), cluster.node(to), ours);
      }
      case RESTART -> new Restart(cluster, List.of(node), null);
      case ROLLING -> new Restart(cluster, cluster.nodes(), null);
      case UPGRADE -> {
        Collections.rotate(trees, -1);
        yield new Restart(cluster, cluster.nodes(), trees.getFirst());
      }
      case DISK -> new FullDisk(disk.orElseThrow(), cluster.nodes().getLast());
      case SLOW_DISK ->
          new SlowDisk(
              breakages.get(target),
              node,
              Duration.ofMillis(between(100, 2_000)),
              Duration.ofMillis(between(0, 20)));
      case CLOCK -> {
        long seconds = between(10, 2 * 60 * 60);
        Duration offset = Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds);
        yield new ClockJump(breakages.get(target), node, offset);
      }
    };
  }

  private Partition partition(String name, Set<Direction> directions) {
    return new Partition(network, name, directions, random.nextBoolean());
  }

  /** Some nodes, fewer than half, are apart from the others. */
  private Partition apart(FaultKind kind, int first) {
    int most = (size() - 1) / 2;
    Set<Integer> few = new HashSet<>();
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      few.add((first + i) % size());
    }
    boolean deaf = kind == FaultKind.PARTITION || random.nextBoolean();
    boolean mute = kind == FaultKind.PARTITION || !deaf;
    Set<Direction> directions = new HashSet<>();
    for (int inside : few) {
      IntStream.range(0, size())
          .filter(node -> !few.contains(node))
          .forEach(outside -> {
            if (mute) {
              directions.add(new Direction(inside, outside));
            }
            if (deaf) {
              directions.add(new Direction(outside, inside));
            }
          });
    }
    String what = deaf && mute ? "cut off" : deaf ? "deaf" : "mute";
    return partition("nodes " + few + " " + what, directions);
  }

  private int size() {
    return cluster.nodes().size();
  }

  private int target() {
    int any = random.nextInt(size());
    return switch (random.nextInt(3)) {
      case 0 -> manager();
      case 1 -> primary(any);
      default -> any;
    };
  }

  private int manager() {
    return number(cluster.http().get("/_cat/cluster_manager?format=json").ok().json().get(0));
  }

  private int primary(int otherwise) {
    List<Integer> primaries = new ArrayList<>();
    String path = "/_cat/shards?format=json&h=prirep,state,node";
    for (JsonNode shard : cluster.http().get(path).ok().json()) {
      if (shard.path("prirep").asText().equals("p")
          && shard.path("state").asText().equals("STARTED")) {
        primaries.add(number(shard));
      }
    }
    return primaries.isEmpty() ? otherwise : primaries.get(random.nextInt(primaries.size()));
  }

  private static int number(JsonNode row) {
    return Integer.parseInt(row.path("node").asText().substring("node-".length()));
  }
}
