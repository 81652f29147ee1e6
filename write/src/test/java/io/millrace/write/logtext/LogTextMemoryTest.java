package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;

/** The memory of sketches: counted, bounded, given back. */
class LogTextMemoryTest {
  static CircuitBreaker breaker(String limit) {
    return new HierarchyCircuitBreakerService(
            Settings.builder()
                .put("indices.breaker.fielddata.limit", limit)
                .put("indices.breaker.fielddata.overhead", 1.0)
                .put("indices.breaker.total.use_real_memory", false)
                .build(),
            List.of(),
            new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
        .getBreaker(CircuitBreaker.FIELDDATA);
  }

  private static IndexSketches viewed(CircuitBreaker breaker) {
    IndexSketches index = new IndexSketches(field -> null, () -> false, breaker);
    index.viewed();
    return index;
  }

  @Test
  void eachSketchIsCountedOnceAndGivenBackWithItsIndex() {
    CircuitBreaker breaker = breaker("64mb");
    IndexSketches index = viewed(breaker);
    TemplateSketch sketch = index.sketch("message");
    assertNotNull(sketch);
    assertSame(sketch, index.sketch("message"));
    index.sketch("other");
    assertEquals(2 * TemplateSketch.BYTES, breaker.getUsed());
    index.close();
    assertEquals(0, breaker.getUsed());
    assertNull(index.sketch("message"), "a closed index makes none");
    index.close();
    assertEquals(0, breaker.getUsed());
  }

  @Test
  void fieldsBeyondTheBoundHaveNone() {
    CircuitBreaker breaker = breaker("64mb");
    IndexSketches index = viewed(breaker);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(i < IndexSketches.MOST, index.sketch("attributes.value" + i) != null);
    }
    assertNotNull(index.sketch("attributes.value0"), "those that have one keep it");
    assertEquals(IndexSketches.MOST * TemplateSketch.BYTES, breaker.getUsed());
  }

  @Test
  void aFullBreakerLeavesAFieldWithoutASketch() {
    CircuitBreaker breaker = breaker(TemplateSketch.BYTES * 3 / 2 + "b");
    IndexSketches index = viewed(breaker);
    assertNotNull(index.sketch("a"));
    assertNull(index.sketch("b"));
    assertEquals(TemplateSketch.BYTES, breaker.getUsed());
    index.close();
    assertNotNull(viewed(breaker).sketch("b"), "what was given back is there again");
  }

  @Test
  void anIndexWhoseEngineShowsNoTokensHasNone() {
    assertNull(new IndexSketches(field -> null, () -> false, breaker("64mb")).sketch("message"));
  }
}
