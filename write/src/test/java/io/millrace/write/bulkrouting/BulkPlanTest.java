package io.millrace.write.bulkrouting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.write.bulkrouting.BulkRoutingCounters.Untouched;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.settings.Setting.Property;

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
  void defaultsOfEveryKnob() {
    BulkRoutingFeature feature = new BulkRoutingFeature();
    assertEquals("millrace.write.bulk_routing.enabled", feature.enabled().setting().getKey());
    assertEquals(true, feature.enabled().on());
    assertEquals(
        List.of("index.bulk_routing.enabled"),
        feature.knobs().stream().map(knob -> knob.setting().getKey()).toList());
    assertEquals(
        "false",
        BulkRoutingFeature.ENABLED.getDefaultRaw(org.opensearch.common.settings.Settings.EMPTY));
    assertEquals(
        java.util.Set.of(Property.IndexScope, Property.Dynamic),
        java.util.Set.copyOf(BulkRoutingFeature.ENABLED.getProperties()));
  }

  @Test
  void metricsStartAtZero() {
    for (var metric : new BulkRoutingFeature().metrics()) {
      metric.samples().get().forEach(sample -> assertEquals(0, sample.value()));
    }
  }
}
