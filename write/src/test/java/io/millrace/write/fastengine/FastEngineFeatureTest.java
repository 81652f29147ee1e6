package io.millrace.write.fastengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.engine.EngineSlot;
import io.millrace.kernel.metric.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

/** States every default. */
class FastEngineFeatureTest {
  private final FastEngineFeature feature = new FastEngineFeature();

  @Test
  void isOnByDefaultBecauseNoAnswerChanges() {
    assertEquals("millrace.write.fast_engine.enabled", feature.enabled().setting().getKey());
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    assertTrue(feature.enabled().setting().isDynamic());
  }

  @Test
  void statesItsKnobs() {
    assertEquals(
        List.of("index.millrace.fast_engine.enabled", "millrace.engine.yield_to"),
        feature.knobs().stream().map(knob -> knob.setting().getKey()).toList());
    assertTrue(FastEngineFeature.INDEX_ENABLED.getDefault(Settings.EMPTY));
    assertTrue(FastEngineFeature.INDEX_ENABLED.isDynamic());
    assertEquals(
        List.of("index.plugins.replication.follower.leader_index"),
        EngineSlot.YIELD_TO.getDefault(Settings.EMPTY));
  }

  @Test
  void countsFallbacksByReason() {
    feature.counters().fallback(Fallback.SYNTAX);
    feature.counters().fallback(Fallback.SYNTAX);
    feature.counters().document();
    assertEquals(
        List.of("documents", "fallbacks", "plans", "declined_plans"),
        feature.metrics().stream().map(Metric::name).toList());
    List<Metric.Sample> fallbacks = feature.metrics().get(1).samples().get();
    assertEquals(Fallback.values().length, fallbacks.size());
    assertEquals(
        2.0,
        fallbacks.stream()
            .filter(sample -> sample.labels().get("reason").equals("syntax"))
            .findFirst()
            .orElseThrow()
            .value());
    assertEquals(1.0, feature.metrics().get(0).samples().get().get(0).value());
  }
}
