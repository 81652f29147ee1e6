package io.millrace.storage.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

class MergeFeatureTest {
  @Test
  void defaults() {
    MergeFeature feature = new MergeFeature();
    assertEquals("storage.merge", feature.id());
    assertEquals("millrace.storage.merge.enabled", feature.enabled().setting().getKey());
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    assertEquals(
        List.of(
            "index.millrace.merge.policy",
            "index.millrace.merge.time_field",
            "millrace.storage.merge.cold_after",
            "millrace.storage.merge.cold_max_cpu"),
        feature.knobs().stream().map(knob -> knob.setting().getKey()).toList());
    assertEquals(MergeFeature.Policy.STOCK, MergeFeature.POLICY.getDefault(Settings.EMPTY));
    assertFalse(MergeFeature.POLICY.isDynamic());
    assertEquals("@timestamp", MergeFeature.TIME_FIELD.getDefault(Settings.EMPTY));
    assertEquals(TimeValue.MINUS_ONE, feature.knobs().get(2).setting().getDefault(Settings.EMPTY));
    assertEquals(50, feature.knobs().get(3).setting().getDefault(Settings.EMPTY));
    assertEquals(10, TimeTieredMergePolicy.WIDTH);
    assertEquals(30, TimeTieredMergePolicy.PATIENCE);
    assertEquals(30, TimeTieredMergePolicy.MOST);
    assertEquals(50, TimeTieredMergePolicy.LAST);
  }

  @Test
  void unknownPolicy() {
    Settings settings = Settings.builder().put("index.millrace.merge.policy", "fast").build();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> MergeFeature.POLICY.get(settings));
    assertTrue(
        e.getMessage()
            .contains("[index.millrace.merge.policy] is [fast]; use one of [stock, time_tiered]"),
        e.getMessage());
  }
}
