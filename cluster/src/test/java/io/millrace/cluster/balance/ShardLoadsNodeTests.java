package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.cluster.ClusterInfo;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What a new index is expected to write and hold, on the metadata of a real node. */
public class ShardLoadsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final long GB = 1L << 30;
  private static final String OLD = "logs-2026.11.22";
  private static final String NEW = "logs-2026.11.23";

  private final LoadBook book = new LoadBook();
  private final Map<String, Long> sizes = new HashMap<>();
  private final Map<String, Object> primaries = new HashMap<>();

  private ClusterState state() {
    return getInstanceFromNode(ClusterService.class).state();
  }

  private void create(String name, int shards) {
    createIndex(
        name,
        Settings.builder()
            .put("index.number_of_shards", shards)
            .put("index.number_of_replicas", 1)
            .build());
  }

  private void writes(String name, double each) {
    writes(name, each, 1);
  }

  private void writes(String name, double each, double now) {
    IndexMetadata index = state().metadata().index(name);
    for (int i = 0; i < index.getNumberOfShards(); i++) {
      primaries.put(
          WriteRates.key(index.getIndexUUID(), i), new CopyRate(10 * each, each, now).report());
    }
    LoadBook.Poll poll = new LoadBook.Poll(1e12);
    poll.add(Map.of(WriteRates.PRIMARIES, primaries));
    book.take(poll, state().metadata(), 1);
  }

  /** The load of a copy of shard 0, so many minutes after the newest index was created. */
  private CopyLoad load(String index, boolean primary, long minutes) {
    ClusterState state = state();
    long newest = 0;
    for (IndexMetadata each : state.metadata()) {
      newest = Math.max(newest, each.getCreationDate());
    }
    ClusterInfo info =
        new ClusterInfo(Map.of(), Map.of(), sizes, Map.of(), Map.of(), Map.of(), Map.of());
    ShardLoads loads =
        new ShardLoads(
            state.metadata(), state.routingTable(), info, book, newest + minutes * 60_000, 2);
    for (ShardRouting shard : state.routingTable().index(index).shard(0)) {
      if (shard.primary() == primary) {
        return loads.of(shard);
      }
    }
    throw new AssertionError("no such copy of " + index);
  }

  private void yesterday() {
    create(OLD, 2);
    sizes.put("[" + OLD + "][0][p]", 40 * GB);
    sizes.put("[" + OLD + "][1][p]", 40 * GB);
    writes(OLD, 3);
  }

  public void testANewIndexTakesOverUntilItsOwnRatesAreKnown() {
    yesterday();
    assertEquals(3, load(OLD, true, 0).write(), 1e-6);
    assertEquals(3 * ShardLoads.REPLICA_SHARE, load(OLD, false, 0).write(), 1e-6);
    create(NEW, 1);
    assertEquals(6, load(NEW, true, 0).write(), 1e-6);
    assertEquals(6 * ShardLoads.REPLICA_SHARE, load(NEW, false, 0).write(), 1e-6);
    assertEquals(80 * GB, load(NEW, true, 0).bytes(), 1);
    assertEquals(0, load(OLD, true, 0).write(), 0);
    assertEquals(40 * GB, load(OLD, true, 0).bytes(), 1);
    writes(NEW, 1);
    assertEquals(1, load(NEW, true, 0).write(), 1e-6);
    assertEquals(3, load(OLD, true, 0).write(), 1e-6);
  }

  public void testTheOldIndexCountsByWhatItStillWrites() {
    yesterday();
    create(NEW, 1);
    writes(OLD, 3, 0.5);
    writes(NEW, 1);
    assertEquals(1.5, load(OLD, true, 0).write(), 1e-6);
    assertEquals(3, load(OLD, true, 10).write(), 1e-6);
    writes(OLD, 3, 0);
    assertEquals(0, load(OLD, true, 0).write(), 0);
    assertEquals(1, load(NEW, true, 0).write(), 1e-6);
  }

  public void testAShardOfANewIndexIsExpectedToWriteUntilItDoes() {
    yesterday();
    create(NEW, 2);
    IndexMetadata index = state().metadata().index(NEW);
    primaries.put(WriteRates.key(index.getIndexUUID(), 1), new CopyRate(5, 0.5, 1).report());
    writes(OLD, 3, 0);
    assertEquals(3, load(NEW, true, 0).write(), 1e-6);
  }

  public void testAnIndexThatIsMadeBeforeItsDayIsExpectedToWriteForAWhileOnly() {
    yesterday();
    create(NEW, 1);
    assertEquals(6, load(NEW, true, 9).write(), 1e-6);
    assertEquals(0, load(NEW, true, 10).write(), 0);
    assertEquals(3, load(OLD, true, 10).write(), 1e-6);
  }

  public void testAnIndexOfNoSeriesIsExpectedToWriteNothing() {
    yesterday();
    create("logs", 1);
    assertEquals(0, load("logs", true, 0).write(), 0);
    assertEquals(0, load("logs", true, 0).bytes(), 0);
    assertEquals(3, load(OLD, true, 0).write(), 1e-6);
  }

  public void testOnlyTheNewestTwoGenerationsCount() {
    yesterday();
    create(NEW, 1);
    create("logs-2026.11.24", 1);
    Generations series = new Generations(state().metadata());
    IndexMetadata old = state().metadata().index(OLD);
    assertNull(series.before(old));
    assertNull(series.after(old));
    assertEquals(
        state().metadata().index(NEW), series.before(state().metadata().index("logs-2026.11.24")));
  }

  public void testASeriesIsWhatDiffersInDigitsOnly() {
    assertEquals(".ds-logs-app-#", Generations.name(".ds-logs-app-000017"));
    assertEquals("logs-#.#.#-#", Generations.name("logs-2026.11.22-000001"));
    assertEquals("plain", Generations.name("plain"));
  }
}
