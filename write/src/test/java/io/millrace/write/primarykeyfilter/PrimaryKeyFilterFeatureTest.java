package io.millrace.write.primarykeyfilter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.metric.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

/** States every default, and what is refused. */
class PrimaryKeyFilterFeatureTest {
  private final PrimaryKeyFilterFeature feature = new PrimaryKeyFilterFeature();

  @Test
  void statesItsDefaults() {
    assertEquals("millrace.write.primary_key_filter.enabled", feature.enabled().setting().getKey());
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    assertEquals("5%", PrimaryKeyFilterFeature.MEMORY.getDefaultRaw(Settings.EMPTY));
    assertEquals(0.9, PrimaryKeyFilterFeature.MAX_KNOWN_SHARE.getDefault(Settings.EMPTY));
    assertTrue(PrimaryKeyFilterFeature.MEMORY.isDynamic());
    assertTrue(PrimaryKeyFilterFeature.MAX_KNOWN_SHARE.isDynamic());
    assertTrue(PrimaryKeyFilterFeature.INDEX_ENABLED.getDefault(Settings.EMPTY));
    assertFalse(PrimaryKeyFilterFeature.INDEX_ENABLED.isDynamic());
    assertEquals(3, feature.knobs().size());
  }

  @Test
  void namesTheSettingOfABadValue() {
    Settings bad =
        Settings.builder()
            .put("millrace.write.primary_key_filter.memory", "much")
            .put("millrace.write.primary_key_filter.max_known_share", 1.5)
            .build();
    assertTrue(
        assertThrows(RuntimeException.class, () -> PrimaryKeyFilterFeature.MEMORY.get(bad))
            .getMessage()
            .contains("millrace.write.primary_key_filter.memory"));
    assertTrue(
        assertThrows(RuntimeException.class, () -> PrimaryKeyFilterFeature.MAX_KNOWN_SHARE.get(bad))
            .getMessage()
            .contains("millrace.write.primary_key_filter.max_known_share"));
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
