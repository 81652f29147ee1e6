package io.millrace.it.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.it.guard.Acknowledgements;
import io.millrace.it.guard.Clients;
import io.millrace.it.guard.HealthGaps;
import io.millrace.it.guard.HeapUse;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each {@link HeavyKind} for a while on one node, beside a writer, a probe of health and a search
 * for one hit twice a second: the longest time without health, how long the light search took, what
 * the writer got done, and how long after the storm the heap is below 60 %. It prints a table, and
 * asserts that nothing acknowledged is lost.
 *
 * <p>Run with {@code -Dmillrace.kinds.seconds=60}, the time of each kind. {@code
 * -Dmillrace.kinds.tree=stock} asks a stock node, {@code -Dmillrace.kinds.heap=1g} one with more
 * heap than 512 MB, {@code -Dmillrace.kinds.logs=N} among other than 240,000 documents, {@code
 * -Dmillrace.kinds.light=50} lets the light search pause for 50 ms instead of 500 between an answer
 * and the next, {@code -Dmillrace.kinds.only=TERMS,WILDCARDS} asks only these, and {@code
 * -Dmillrace.kinds.set=KEY=VALUE,KEY=VALUE} puts settings into the node's configuration, {@code
 * -Dmillrace.kinds.jvm=-XX:+FLAG,-XX:+FLAG} gives its JVM more flags. {@code
 * -Dmillrace.kinds.one=true} lets them follow each other on one node, which saves the time of
 * starting and loading one for each. {@code -Dmillrace.kinds.together=3} has so many at once, drawn
 * by {@code -Dmillrace.kinds.seed=1}, {@code -Dmillrace.kinds.rounds=5} times. {@code
 * -Dmillrace.kinds.writers=2} and {@code -Dmillrace.kinds.pace=0} are how many write and how many
 * milliseconds lie from one of a writer's bulks of 500 to the next, at least; 1 and 200.
 */
@EnabledIfSystemProperty(named = "millrace.kinds.seconds", matches = "\\d+")
class HeavyKindsIT {
  private static final int SECONDS = Integer.getInteger("millrace.kinds.seconds", 60);
  private static final int DOCUMENTS = Integer.getInteger("millrace.kinds.logs", 240_000);
  private static final long LIGHT_PAUSE = Long.getLong("millrace.kinds.light", 500);
  private static final int WRITERS = Integer.getInteger("millrace.kinds.writers", 1);
  private static final long WRITERS_PACE = Long.getLong("millrace.kinds.pace", 200);
  private static final String HEAP = System.getProperty("millrace.kinds.heap", "512m");
  private static final int HEAP_PERCENT = 60;
  private static final int HEAP_SECONDS = 30;
  private static final Map<String, String> SET = settings();
  private static final Tree TREE =
      "stock".equals(System.getProperty("millrace.kinds.tree")) ? Tree.STOCK : Tree.MILLRACE;

  private static Map<String, String> settings() {
    String set = System.getProperty("millrace.kinds.set", "");
    return Arrays.stream(set.split(","))
        .filter(each -> !each.isBlank())
        .collect(Collectors.toMap(each -> each.split("=", 2)[0], each -> each.split("=", 2)[1]));
  }

  static HeavyKind[] kinds() {
    String only = System.getProperty("millrace.kinds.only");
    return only == null
        ? HeavyKind.values()
        : Arrays.stream(only.split(",")).map(HeavyKind::valueOf).toArray(HeavyKind[]::new);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @DisabledIfSystemProperty(named = "millrace.kinds.one", matches = "true")
  @DisabledIfSystemProperty(named = "millrace.kinds.together", matches = "\\d+")
  void besideALightSearchAndAWriter(HeavyKind kind) throws Exception {
    try (Cluster cluster = start()) {
      besides(cluster, List.of(kind));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "millrace.kinds.one", matches = "true")
  void oneAfterTheOtherOnOneNode() throws Exception {
    try (Cluster cluster = start()) {
      for (HeavyKind kind : kinds()) {
        besides(cluster, List.of(kind));
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "millrace.kinds.together", matches = "\\d+")
  void someAtOnceByChance() throws Exception {
    Random random = new Random(Long.getLong("millrace.kinds.seed", 1));
    List<HeavyKind> kinds = new ArrayList<>(List.of(kinds()));
    kinds.remove(HeavyKind.NOTHING);
    try (Cluster cluster = start()) {
      for (int i = Integer.getInteger("millrace.kinds.rounds", 5); i > 0; i--) {
        Collections.shuffle(kinds, random);
        besides(cluster, kinds.subList(0, Integer.getInteger("millrace.kinds.together")));
      }
    }
  }

  private static Cluster start() {
    Cluster.Builder plan = Cluster.of(TREE, 1).optimized().heap(HEAP);
    SET.forEach(plan::set);
    String flags = System.getProperty("millrace.kinds.jvm");
    if (flags != null) {
      plan.jvm(flags.split(","));
    }
    Cluster cluster = plan.start();
    try {
      if (TREE == Tree.STOCK) {
        HostileLogs.mapForStock(cluster.node(0).http());
      }
      HostileLogs.load(cluster.node(0).http(), DOCUMENTS);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close(); // or its process would outlive the test
      throw e;
    }
  }

  private static void besides(Cluster cluster, List<HeavyKind> kinds) throws InterruptedException {
    ClusterNode node = cluster.node(0);
    Acknowledgements acknowledged =
        new Acknowledgements("written-" + Long.toString(System.nanoTime(), 36));
    String row;
    try (Clients writer = Clients.writing(node.port(), WRITERS, 500, WRITERS_PACE, acknowledged)) {
      row = storm(node, kinds, acknowledged);
      row += heapIsBack(node);
      writer.finish(Duration.ofSeconds(30));
    }
    System.out.println(row);
    serve(cluster, node);
    assertEquals(0, acknowledged.lost(node.http()));
  }

  private static String storm(
      ClusterNode node, List<HeavyKind> kinds, Acknowledgements acknowledged)
      throws InterruptedException {
    List<HostileClients> storms = new ArrayList<>();
    try (HealthGaps gaps = new HealthGaps(node.port());
        LightSearches light = new LightSearches(node.port(), LIGHT_PAUSE)) {
      kinds.stream()
          .map(kind -> clients(node, kind))
          .flatMap(Optional::stream)
          .forEach(storms::add);
      Thread.sleep(SECONDS * 1_000L);
      return String.format(
          Locale.ROOT,
          "| %s | %s | %s | %.1f s | %.2f s | %.2f s | %d of %d %s | %d | %s |",
          kinds.stream().map(HeavyKind::text).collect(Collectors.joining("; ")),
          TREE,
          end(node),
          gaps.longestOutage(),
          light.percentile(99),
          light.percentile(100),
          light.counts()[1],
          light.counts()[0],
          light.odd(),
          acknowledged.count(),
          storms.stream().map(storm -> "" + storm.answers()).collect(Collectors.joining("; ")));
    } finally {
      for (HostileClients storm : storms) {
        storm.close();
      }
    }
  }

  private static Optional<HostileClients> clients(ClusterNode node, HeavyKind kind) {
    HostileRequest request = kind.request();
    return request == null
        ? Optional.empty()
        : Optional.of(new HostileClients(node.port(), kind.clients(), () -> request));
  }

  /** How long after the storm the heap is below the mark; while the writer goes on. */
  private static String heapIsBack(ClusterNode node) throws InterruptedException {
    long left = System.nanoTime();
    double seconds = 0;
    while (node.alive() && seconds < HEAP_SECONDS) {
      if (HeapUse.percent(node.http()) < HEAP_PERCENT) {
        return String.format(Locale.ROOT, " %.1f s |", seconds);
      }
      Thread.sleep(250);
      seconds = (System.nanoTime() - left) / 1e9;
    }
    return node.alive() ? " over " + HEAP_SECONDS + " s |" : " dead |";
  }

  private static String end(ClusterNode node) {
    boolean full = node.log().contains("java.lang.OutOfMemoryError");
    return (node.alive() ? "lives" : "dead") + (full ? ", OutOfMemoryError" : "");
  }

  private static void serve(Cluster cluster, ClusterNode node) {
    Await.until(
        "the node to serve again",
        Duration.ofMinutes(3),
        () -> {
          if (!node.alive()) { // it may die of what it was asked minutes ago
            node.start();
            node.awaitAnswer();
            cluster.awaitYellow();
          }
          return counts(node);
        });
  }

  private static boolean counts(ClusterNode node) {
    try {
      return node.http().get("/" + Choices.INDEX + "/_count").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }
}
