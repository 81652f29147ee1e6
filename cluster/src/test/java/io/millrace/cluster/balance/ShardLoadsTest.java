package io.millrace.cluster.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.cluster.routing.ShardRouting;

class ShardLoadsTest {
  private static final double GB = 1L << 30;

  private final SimulatedCluster cluster = new SimulatedCluster(true, SimulatedCluster.FAST);

  private void create(String name, int shards, double write, double bytes) {
    cluster.create(List.of(SimulatedCluster.NewIndex.of(name, shards, 1, write, bytes)));
  }

  private ShardLoad load(String index, boolean primary) {
    ShardLoads loads =
        new ShardLoads(
            cluster.state.metadata(),
            cluster.state.routingTable(),
            cluster.sizes,
            cluster.balancing.book(),
            cluster.nowMillis(),
            2);
    ShardRouting shard =
        cluster.state.routingTable().index(index).shard(0).getShards().stream()
            .filter(copy -> copy.primary() == primary)
            .findFirst()
            .orElseThrow();
    return loads.of(shard);
  }

  private void dayOne() {
    create("logs-2026.11.22", 2, 3, 40 * GB);
    cluster.weigh(1e13);
    cluster.measure(new Random(1), 0);
  }

  @Test
  void aNewIndexTakesOverFromTheOneBeforeUntilItsOwnRatesAreKnown() {
    dayOne();
    assertEquals(3, load("logs-2026.11.22", true).write(), 1e-9);
    cluster.pass(24 * 60);
    create("logs-2026.11.23", 1, 1, GB);
    assertEquals(6, load("logs-2026.11.23", true).write(), 1e-9);
    assertEquals(6 * ShardLoads.REPLICA_SHARE, load("logs-2026.11.23", false).write(), 1e-9);
    assertEquals(80 * GB, load("logs-2026.11.23", true).bytes(), 1);
    assertEquals(0, load("logs-2026.11.22", true).write());
    assertEquals(40 * GB, load("logs-2026.11.22", true).bytes(), 1);
    cluster.measure(new Random(1), 0);
    assertEquals(1, load("logs-2026.11.23", true).write(), 1e-9);
    assertEquals(3, load("logs-2026.11.22", true).write(), 1e-9);
  }

  @Test
  void anIndexThatIsMadeBeforeItsDayIsExpectedToWriteForAWhileOnly() {
    dayOne();
    create("logs-2026.11.23", 1, 0, 0);
    assertEquals(6, load("logs-2026.11.23", true).write(), 1e-9);
    cluster.pass(10);
    assertEquals(0, load("logs-2026.11.23", true).write());
    assertEquals(3, load("logs-2026.11.22", true).write(), 1e-9);
  }

  @Test
  void backingIndicesOfADataStreamAreASeries() {
    assertEquals(".ds-logs-app-#", Series.name(".ds-logs-app-000017"));
    assertEquals("logs-#.#.#-#", Series.name("logs-2026.11.22-000001"));
    assertEquals("plain", Series.name("plain"));
  }

  @Test
  void anIndexWithoutDigitsHasNoPredecessor() {
    dayOne();
    create("logs", 1, 0, 0);
    assertEquals(0, load("logs", true).write());
    assertEquals(0, load("logs", true).bytes());
  }

  @Test
  void onlyTheNewestTwoGenerationsCount() {
    dayOne();
    cluster.pass(60);
    create("logs-2026.11.23", 1, 0, 0);
    cluster.pass(60);
    create("logs-2026.11.24", 1, 0, 0);
    Series series = new Series(cluster.state.metadata());
    assertNull(series.before(cluster.state.metadata().index("logs-2026.11.22")));
    assertNull(series.after(cluster.state.metadata().index("logs-2026.11.22")));
    assertEquals(
        cluster.state.metadata().index("logs-2026.11.23"),
        series.before(cluster.state.metadata().index("logs-2026.11.24")));
    assertEquals(
        cluster.state.metadata().index("logs-2026.11.24"),
        series.after(cluster.state.metadata().index("logs-2026.11.23")));
  }
}
