package io.millrace.write.primarykeyfilter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

/** What is refused, what it counts and what it holds. */
class PrimaryKeyFilterFeatureTest {
  private final PrimaryKeyFilterFeature feature = new PrimaryKeyFilterFeature();

  @Test
  void namesTheSettingOfABadValue() {
    Settings bad =
        Settings.builder()
            .put("millrace.write.primary_key_filter.memory", "much")
            .put("millrace.write.primary_key_filter.max_known_share", 1.5)
            .build();
    for (Knob<?> knob : feature.knobs()) {
      if (knob.setting().hasNodeScope()) {
        RuntimeException refused =
            assertThrows(RuntimeException.class, () -> knob.setting().get(bad));
        assertTrue(refused.getMessage().contains(knob.key()), refused.getMessage());
      }
    }
  }

  @Test
  void showsWhatItCounts() {
    assertEquals(
        List.of("appended", "looked_up", "noted", "bytes", "filters", "building", "at_rest"),
        feature.metrics().stream().map(Metric::name).toList());
    assertEquals(Inactive.values().length, feature.metrics().get(6).samples().get().size());
  }

  @Test
  void memoryIsBoundedAndGivenBack() {
    FilterMemory memory = new FilterMemory(() -> 1_000);
    CircuitBreaker breaker = new NoopCircuitBreaker("none");
    FilterMemory.Share one = memory.new Share(breaker);
    FilterMemory.Share other = memory.new Share(breaker);
    assertTrue(one.reserve(600));
    assertFalse(other.reserve(600));
    assertTrue(other.reserve(400));
    assertEquals(1_000, memory.used());
    one.release();
    one.release();
    assertEquals(400, memory.used());
    assertFalse(one.reserve(1), "a share that was given back takes nothing");
    assertTrue(other.reserve(600));
  }
}
