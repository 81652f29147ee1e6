package io.millrace.write.bulkrouting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.write.bulkrouting.BulkRoutingCounters.Untouched;
import org.junit.jupiter.api.Test;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;

class BulkPlanTest {

  /** Targets for plans that are never asked. */
  @SuppressWarnings("NullAway")
  static IndexTargets noTargets() {
    return new IndexTargets(null, null, new RoutedIndices());
  }

  @Test
  void whatAnItemDecidesItself() {
    assertNull(BulkPlan.ownChoice(new IndexRequest("i")));
    assertNull(BulkPlan.ownChoice(new IndexRequest("i").create(true).setPipeline("p")));
    assertEquals(Untouched.OWN_ID, BulkPlan.ownChoice(new IndexRequest("i").id("a")));
    assertEquals(Untouched.OWN_ROUTING, BulkPlan.ownChoice(new IndexRequest("i").routing("a")));
    assertEquals(Untouched.OWN_ID, BulkPlan.ownChoice(new DeleteRequest("i", "a")));
    assertEquals(Untouched.OWN_ID, BulkPlan.ownChoice(new UpdateRequest("i", "a")));
  }

  @Test
  void metricsStartAtZero() {
    for (var metric : new BulkRoutingFeature().metrics()) {
      metric.samples().get().forEach(sample -> assertEquals(0, sample.value()));
    }
  }
}
