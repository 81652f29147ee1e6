package io.millrace.observe.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.core.index.shard.ShardId;

class WorkTest {
  private final ShardId a = new ShardId("a", "uuid", 0);
  private final ShardId b = new ShardId("b", "uuid", 0);

  @Test
  void ratesAreDifferences() {
    Work done = new Work(1000, 50, 30, 9).since(new Work(400, 20, 10, 4));
    assertEquals(new Work(600, 30, 20, 5), done);
    assertEquals(
        Map.of(
            "indexed_per_second", 120.0,
            "index_millis_per_second", 6.0,
            "queries_per_second", 4.0,
            "query_millis_per_second", 1.0),
        done.perSecond(5));
  }

  @Test
  void aShardThatOpenedAnewCountsFromItsOpening() {
    assertEquals(new Work(5, 1, 0, 0), new Work(5, 1, 0, 0).since(new Work(900, 80, 3, 2)));
  }

  @Test
  void newShardsCountFromNothingAndClosedOnesAreGone() {
    var done =
        ShardLoad.done(
            new ShardLoad.Look(0, Map.of(a, new Work(10, 1, 0, 0))),
            new ShardLoad.Look(1, Map.of(b, new Work(7, 2, 0, 0))));
    assertEquals(Map.of(b, new Work(7, 2, 0, 0)), done);
  }

  @Test
  void idleShardsAreNotHot() {
    assertFalse(Work.NONE.any());
    assertTrue(new Work(0, 0, 1, 0).any());
    assertEquals(12, new Work(0, 5, 0, 7).millis());
  }
}
