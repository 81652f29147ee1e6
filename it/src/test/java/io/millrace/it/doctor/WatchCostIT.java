package io.millrace.it.doctor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.top.Sampler;
import io.millrace.it.support.EmptyShards;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What {@code doctor --watch} and {@code top} cost a cluster: CPU time of its processes, as the
 * operating system counts it, with each of them beside it and without. It asserts no figure and
 * prints them.
 *
 * <p>Run with {@code -Dmillrace.doctor.cost=SECONDS}, the length of each part; {@code
 * -Dmillrace.doctor.cost.shards=N} makes that many shards, 50 unless told, and {@code
 * -Dmillrace.doctor.cost.nodes=N} that many nodes, one unless told: a shard takes three files, so a
 * process that may open 20,000 holds some 6,600. Nothing is written meanwhile: what a node does
 * without the watch is what it does at rest, so the machine must be at rest as well. {@code
 * -Dmillrace.doctor.cost.rounds=0} leaves the parts out and measures examinations alone.
 */
@EnabledIfSystemProperty(named = "millrace.doctor.cost", matches = "\\d+")
class WatchCostIT {
  private static final int SECONDS = Integer.getInteger("millrace.doctor.cost", 300);
  private static final int SHARDS = Integer.getInteger("millrace.doctor.cost.shards", 50);
  private static final int NODES = Integer.getInteger("millrace.doctor.cost.nodes", 1);
  private static final int ROUNDS = Integer.getInteger("millrace.doctor.cost.rounds", 2);
  private static final int EXAMINATIONS = 5;
  private static final int REST_MILLIS = 10_000;

  /** What runs beside the node; it takes the whole part. */
  private interface Beside {
    void run(ClusterClient client) throws Exception;
  }

  @Test
  void cpuOfTheNodeWithAndWithout() throws Exception {
    try (Cluster cluster =
        Cluster.of(Tree.STOCK, NODES)
            .optimized()
            .heap(SHARDS > 2_000 * NODES ? "3g" : "1g")
            .set("cluster.max_shards_per_node", "20000")
            .set("cluster.routing.allocation.node_initial_primaries_recoveries", "50")
            .start()) {
      List<ClusterNode> nodes = cluster.nodes();
      EmptyShards.make(cluster.http(), 0, SHARDS);
      doctor(nodes, Duration.ZERO); // compilers
      for (int round = 1; round <= ROUNDS; round++) {
        double rest = share(nodes, client -> Thread.sleep(SECONDS * 1_000L));
        double doctor = share(nodes, client -> watch(client, Duration.ofSeconds(SECONDS)));
        double top = share(nodes, WatchCostIT::top);
        System.out.printf(
            Locale.ROOT,
            "round %d, %d shards on %d nodes, %d s each, in percent of a core: at rest %.3f, doctor --watch %ds %.3f (%+.3f), top every 3 s %.3f (%+.3f)%n",
            round,
            SHARDS,
            NODES,
            SECONDS,
            rest,
            SECONDS,
            doctor,
            doctor - rest,
            top,
            top - rest);
      }
      examinations(nodes);
      requests(nodes);
    }
  }

  /** Percent of a core over one part. */
  private static double share(List<ClusterNode> nodes, Beside beside) throws Exception {
    try (ClusterClient client = client(nodes)) {
      long before = cpu(nodes);
      long begun = System.nanoTime();
      beside.run(client);
      return 100.0 * (cpu(nodes) - before) / (System.nanoTime() - begun);
    }
  }

  private static long cpu(List<ClusterNode> nodes) {
    return nodes.stream().mapToLong(node -> node.process().cpuNanos()).sum();
  }

  private static ClusterClient client(List<ClusterNode> nodes) {
    return new ClusterClient(
        ClientOptions.of(nodes.getFirst().http().base())
            .maxAnswerBytes(Limits.DEFAULT.answerBytes()));
  }

  /** Milliseconds of the nodes' CPU. */
  private static double doctor(List<ClusterNode> nodes, Duration window) throws Exception {
    try (ClusterClient client = client(nodes)) {
      long before = cpu(nodes);
      watch(client, window);
      return (cpu(nodes) - before) / 1e6;
    }
  }

  /** Each without what the nodes do at rest, as ten seconds before and ten after it show that. */
  private static void examinations(List<ClusterNode> nodes) throws Exception {
    double sum = 0;
    double rest = share(nodes, client -> Thread.sleep(REST_MILLIS));
    for (int examination = 1; examination <= EXAMINATIONS; examination++) {
      long begun = System.nanoTime();
      double all = doctor(nodes, Duration.ZERO);
      double millis = (System.nanoTime() - begun) / 1e6;
      double after = share(nodes, client -> Thread.sleep(REST_MILLIS));
      double own = all - millis * (rest + after) / 2 / 100;
      System.out.printf(
          Locale.ROOT,
          "examination %d: %.0f ms of CPU in %.0f ms, %.0f without what rest takes (%.1f %% before, %.1f %% after)%n",
          examination,
          all,
          millis,
          own,
          rest,
          after);
      sum += own;
      rest = after;
    }
    double mean = sum / EXAMINATIONS;
    System.out.printf(
        Locale.ROOT,
        "an examination in the mean of %d: %.0f ms, %.3f %% of a core over a minute, %.3f %% over five, %.3f %% over ten%n",
        EXAMINATIONS,
        mean,
        mean / 600,
        mean / 3_000,
        mean / 6_000);
  }

  /** What each request of an examination costs the nodes. */
  private static void requests(List<ClusterNode> nodes) throws Exception {
    Map<String, Double> costs = new LinkedHashMap<>();
    AtomicReference<String> asked = new AtomicReference<>("the first request");
    AtomicLong begun = new AtomicLong(cpu(nodes));
    try (ClusterClient client = client(nodes)) {
      new Collector(
              client,
              Limits.DEFAULT.window(Duration.ZERO),
              next -> {
                long now = cpu(nodes);
                costs.merge(asked.getAndSet(next), (now - begun.getAndSet(now)) / 1e6, Double::sum);
              })
          .collect();
    }
    costs.forEach((request, millis) ->
        System.out.printf(Locale.ROOT, "  %s: %.0f ms of CPU%n", request, millis));
  }

  private static void watch(ClusterClient client, Duration window) throws InterruptedException {
    Snapshot snapshot = new Collector(client, Limits.DEFAULT.window(window), text -> {}).collect();
    assertTrue(snapshot.shards().size() >= SHARDS, () -> "shards: " + snapshot.shards().size());
  }

  private static void top(ClusterClient client) throws Exception {
    Sampler sampler = new Sampler(client);
    sampler.check();
    long until = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (System.nanoTime() < until) {
      sampler.take(List.of());
      Thread.sleep(3_000);
    }
  }
}
