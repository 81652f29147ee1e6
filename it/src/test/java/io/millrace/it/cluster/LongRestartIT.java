package io.millrace.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node stops in order and stays away for longer than stock waits for it, while clients write at
 * the two others: announced on Millrace, with stock's defaults on stock. Counted are the copies
 * that are built on another node meanwhile; the time until green is printed.
 *
 * <p>Run with {@code -Dmillrace.restart.seconds=90}: for how long no process of the node runs.
 */
@EnabledIfSystemProperty(named = "millrace.restart.seconds", matches = "\\d+")
class LongRestartIT {
  private static final int SECONDS = Integer.getInteger("millrace.restart.seconds", 90);
  private static final String KEPT = "kept";
  private static final String WRITTEN = "written";

  @ParameterizedTest
  @EnumSource(
      value = Tree.class,
      names = {"MILLRACE", "STOCK"})
  void copiesThatAreBuiltElsewhere(Tree tree) throws Exception {
    try (Cluster cluster = Cluster.of(tree, 3).optimized().start()) {
      JsonHttp http = cluster.node(0).http();
      ShardPlaces.make(http, KEPT, 6);
      ShardPlaces.make(http, WRITTEN, 6);
      Lines.load(http, KEPT, 100, 1_000);
      try (Writers writers = new Writers(WRITTEN, cluster.nodes().subList(0, 2))) {
        writers.await(3_000);
        restart(tree, cluster.node(2), http);
        writers.finish();
        long lost = writers.lost(http);
        System.out.printf(Locale.ROOT, "%s: %s, %d lost%n", tree, writers, lost);
        assertEquals(0, lost);
        assertEquals(100_000, count(http));
      }
    }
  }

  private static int count(JsonHttp http) {
    http.post("/" + KEPT + "/_refresh").ok();
    return http.get("/" + KEPT + "/_count").ok().at("/count").asInt();
  }

  private static void restart(Tree tree, ClusterNode node, JsonHttp http)
      throws InterruptedException {
    boolean ours = tree == Tree.MILLRACE;
    Set<ShardPlaces.Place> before = ShardPlaces.places(http);
    if (ours) {
      http.post("/_millrace/restart/_begin?ttl=10m&node=" + node.name()).ok();
    }
    node.stop();
    Thread.sleep(Duration.ofSeconds(SECONDS)); // the absence is what is measured, not waited for
    Set<ShardPlaces.Place> away = ShardPlaces.places(http);
    int rebuilt = ShardPlaces.moved(before, away);
    long started = System.nanoTime();
    node.start();
    node.awaitAnswer();
    long answered = System.nanoTime();
    ShardPlaces.awaitNodes(http, 3);
    long joined = System.nanoTime();
    ShardPlaces.awaitSettled(http);
    long green = System.nanoTime();
    int moved = ShardPlaces.moved(away, ShardPlaces.places(http));
    if (ours) {
      http.post("/_millrace/restart/_end?node=" + node.name()).ok();
    }
    System.out.printf(
        Locale.ROOT,
        "%s: away for %d s, %d of its %d copies built elsewhere; it answers %.1f s after its start,"
            + " has joined %.1f s later, all is green and settled %.1f s later; %d copies came to a"
            + " place then%n",
        tree,
        SECONDS,
        rebuilt,
        ShardPlaces.on(node.name(), before),
        (answered - started) / 1e9,
        (joined - answered) / 1e9,
        (green - joined) / 1e9,
        moved);
    if (ours) {
      assertEquals(0, rebuilt, ShardPlaces.text(away));
    }
  }
}
