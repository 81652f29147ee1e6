package io.millrace.it.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.it.guard.Acknowledgements;
import io.millrace.it.guard.Clients;
import io.millrace.it.guard.HealthGaps;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each {@link HeavyKind} for a while on one node, beside a writer, a probe of health and a search
 * for one hit twice a second: the longest time without health, how long the light search took, what
 * the writer got done. It prints a table, and asserts that nothing acknowledged is lost.
 *
 * <p>Run with {@code -Dmillrace.kinds.seconds=60}, the time of each kind. {@code
 * -Dmillrace.kinds.tree=stock} asks a stock node, {@code -Dmillrace.kinds.heap=1g} one with more
 * heap than 512 MB, {@code -Dmillrace.kinds.logs=N} among other than 240,000 documents, {@code
 * -Dmillrace.kinds.light=50} lets the light search pause for 50 ms instead of 500 between an answer
 * and the next, {@code -Dmillrace.kinds.only=TERMS,WILDCARDS} asks only these, and {@code
 * -Dmillrace.kinds.set=KEY=VALUE,KEY=VALUE} puts settings into the node's configuration. {@code
 * -Dmillrace.kinds.one=true} lets them follow each other on one node, which saves the time of
 * starting and loading one for each.
 */
@EnabledIfSystemProperty(named = "millrace.kinds.seconds", matches = "\\d+")
class HeavyKindsIT {
  private static final int SECONDS = Integer.getInteger("millrace.kinds.seconds", 60);
  private static final int DOCUMENTS = Integer.getInteger("millrace.kinds.logs", 240_000);
  private static final long LIGHT_PAUSE = Long.getLong("millrace.kinds.light", 500);
  private static final String HEAP = System.getProperty("millrace.kinds.heap", "512m");
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
  void besideALightSearchAndAWriter(HeavyKind kind) throws Exception {
    try (Cluster cluster = start()) {
      besides(cluster, kind);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "millrace.kinds.one", matches = "true")
  void oneAfterTheOtherOnOneNode() throws Exception {
    try (Cluster cluster = start()) {
      for (HeavyKind kind : kinds()) {
        besides(cluster, kind);
      }
    }
  }

  private static Cluster start() {
    Cluster.Builder plan = Cluster.of(TREE, 1).optimized().heap(HEAP);
    SET.forEach(plan::set);
    Cluster cluster = plan.start();
    HostileLogs.load(cluster.node(0).http(), DOCUMENTS);
    return cluster;
  }

  private static void besides(Cluster cluster, HeavyKind kind) throws InterruptedException {
    ClusterNode node = cluster.node(0);
    Acknowledgements acknowledged =
        new Acknowledgements("written-" + kind.name().toLowerCase(Locale.ROOT));
    try (Clients writer = Clients.writing(node.port(), 1, 500, 200, acknowledged)) {
      storm(node, kind, acknowledged);
      writer.finish(Duration.ofSeconds(30));
    }
    serve(cluster, node);
    assertEquals(0, acknowledged.lost(node.http()));
  }

  private static void storm(ClusterNode node, HeavyKind kind, Acknowledgements acknowledged)
      throws InterruptedException {
    Map<Integer, Integer> answers = Map.of();
    try (HealthGaps gaps = new HealthGaps(node.port());
        LightSearches light = new LightSearches(node.port(), LIGHT_PAUSE)) {
      HostileRequest request = kind.request();
      if (request == null) {
        Thread.sleep(SECONDS * 1_000L);
      } else {
        try (HostileClients clients =
            new HostileClients(
                node.port(), kind.clients(), () -> Objects.requireNonNull(request))) {
          Thread.sleep(SECONDS * 1_000L);
          answers = clients.answers();
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %.1f s | %.2f s | %.2f s | %d of %d | %d | %s |%n",
          kind.text(),
          TREE,
          end(node),
          gaps.longestOutage(),
          light.percentile(99),
          light.percentile(100),
          light.counts()[1],
          light.counts()[0],
          acknowledged.count(),
          answers);
    }
  }

  private static String end(ClusterNode node) {
    if (node.log().contains("java.lang.OutOfMemoryError")) {
      return "OutOfMemoryError";
    }
    return node.alive() ? "lives" : "dead";
  }

  private static void serve(Cluster cluster, ClusterNode node) {
    if (!node.alive()) {
      node.start();
      node.awaitAnswer();
      cluster.awaitYellow();
    }
    Await.until(
        "the node to serve again",
        Duration.ofMinutes(3),
        () -> node.http().get("/" + Choices.INDEX + "/_count").status() == 200);
  }
}
