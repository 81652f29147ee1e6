package io.millrace.storage.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

class MergeFeatureTest {
  @Test
  void widthAndPatience() {
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
