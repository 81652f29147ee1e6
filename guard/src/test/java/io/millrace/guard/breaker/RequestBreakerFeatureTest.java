package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.heap.LiveHeap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilders;

class RequestBreakerFeatureTest {
  private final RequestBreakerFeature feature = new RequestBreakerFeature();

  @Test
  void badInputNamesTheSetting() {
    for (String name : List.of("limit", "spare_below", "shed_above", "collect_after")) {
      String key = feature.prefix() + "." + name;
      Setting<?> setting =
          feature.knobs().stream()
              .filter(k -> k.setting().getKey().equals(key))
              .findFirst()
              .orElseThrow()
              .setting();
      for (String bad : List.of("many", "101%", "-5%")) {
        Settings settings = Settings.builder().put(key, bad).build();
        RuntimeException e = assertThrows(RuntimeException.class, () -> setting.get(settings), bad);
        assertTrue(e.getMessage().contains(bad.replace("%", "")), e.getMessage());
      }
    }
  }

  @Test
  void aBucketWithTopHitsKeepsItsWholeQueue() {
    AggregationBuilder terms =
        AggregationBuilders.terms("t")
            .field("f")
            .subAggregation(AggregationBuilders.topHits("h").size(100));
    long bytes = BucketCost.of(List.of(terms), 1_000_000).bytes();
    assertEquals(100 * 28 + 400, bytes);
    // no queue is longer than the shard has documents
    assertEquals(5 * 28 + 400, BucketCost.of(List.of(terms), 5).bytes());
  }

  @Test
  void theDearestBucketOfTheTreeCounts() {
    AggregationBuilder inner =
        AggregationBuilders.terms("b")
            .field("b")
            .subAggregation(AggregationBuilders.topHits("h").size(10));
    AggregationBuilder outer = AggregationBuilders.terms("a").field("a").subAggregation(inner);
    BucketCost cost =
        BucketCost.of(List.of(outer, AggregationBuilders.max("m").field("n")), 1_000_000);
    assertEquals(10 * 28 + 400, cost.bytes());
    assertTrue(BucketCost.of(List.of(AggregationBuilders.scriptedMetric("s")), 10).collects());
  }

  @Test
  void anEstimateNeverExceedsWhatWasAllocated() {
    FakeAllocations allocations = new FakeAllocations();
    RequestLimits limits = new RequestLimits();
    LiveHeap heap = new LiveHeap();
    SearchLedger ledger =
        new SearchLedger(limits, heap, allocations, new AfterRefusal(limits, heap.max()));
    SearchMemory memory = new SearchMemory(ledger, null, () -> "test", 100, 0);
    memory.enter();
    allocations.own = 1000;
    allocations.all = 4000;
    memory.declare(50_000);
    assertEquals(1000, memory.estimate(100, 4000).declared());
    // a quarter of all allocation gets a quarter of the growth
    assertEquals(500, memory.estimate(2100, 4000).measured());
    assertEquals(1000, memory.estimate(1_000_000, 4000).measured());
    // the heap shrank: nothing is held
    assertEquals(0, memory.estimate(50, 4000).measured());
  }

  @Test
  void theLargestIsStoppedAndTheOthersGoOn() {
    FakeAllocations allocations = new FakeAllocations();
    RequestLimits limits = RequestLimitsOf.request(10_000);
    LiveHeap heap = new LiveHeap();
    SearchLedger ledger =
        new SearchLedger(limits, heap, allocations, new AfterRefusal(limits, heap.max()));
    SearchMemory small = ledger.open(null, () -> "small");
    SearchMemory large = ledger.open(null, () -> "large");
    large.enter();
    small.enter();
    allocations.own = 1L << 40;
    allocations.all = 1L << 50;
    small.declare(9_000);
    large.declare(11_000);
    ledger.judge();
    assertTrue(large.refused());
    assertEquals(false, small.refused());
    var e =
        assertThrows(
            org.opensearch.core.common.breaker.CircuitBreakingException.class, large::look);
    assertTrue(e.getMessage().contains("[millrace.guard.request_breaker.limit]"), e.getMessage());
    assertEquals(429, e.status().getStatus());
    small.look();
    ledger.close(large);
    ledger.close(small);
    assertEquals(0, ledger.size());
    assertEquals(0, ledger.held());
  }

  @Test
  void theLargestOfManySmallOnesIsStoppedWhileTheHeapIsFull() {
    FakeAllocations allocations = new FakeAllocations();
    RequestLimits limits = RequestLimitsOf.of(10_000, 1);
    LiveHeap heap = new LiveHeap();
    SearchLedger ledger =
        new SearchLedger(limits, heap, allocations, new AfterRefusal(limits, heap.max()));
    List<SearchMemory> searches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SearchMemory search = ledger.open(null, () -> "one of many");
      search.enter();
      searches.add(search);
    }
    allocations.own = 1L << 40;
    allocations.all = Long.MAX_VALUE;
    searches.subList(0, 3).forEach(search -> search.declare(3_000));
    ledger.judge();
    assertTrue(searches.stream().noneMatch(SearchMemory::refused)); // 9,000 in all
    searches.get(3).declare(3_100);
    ledger.judge();
    assertTrue(searches.get(3).refused());
    ledger.judge();
    assertEquals(1, searches.stream().filter(SearchMemory::refused).count()); // one at a time
  }

  @Test
  void theFactorIsLearned() {
    HeapFactor factor = new HeapFactor(new Allocations());
    for (int i = 0; i < 50; i++) {
      factor.learned(800, 100);
    }
    assertEquals(8, factor.value(), 0.01);
  }

  @Test
  void aBulkIsHeldTwiceWithItsItems() {
    assertEquals(2 * 1000 + 512 * 3, BulkLimit.held(1000, 3));
  }

  private static final class FakeAllocations extends Allocations {
    long own;
    long all;

    @Override
    long of(long threadId) {
      return own;
    }

    @Override
    long total() {
      return all;
    }
  }
}
