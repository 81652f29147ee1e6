package io.millrace.write.fastengine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.kernel.metric.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What it counts. */
class FastEngineFeatureTest {
  private final FastEngineFeature feature = new FastEngineFeature();

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
