package io.millrace.observe.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.settings.Knob;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

class DashboardFeatureTest {
  private final DashboardFeature feature = new DashboardFeature();

  @Test
  void defaults() {
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    Map<String, Object> defaults = new TreeMap<>();
    for (Knob<?> knob : feature.knobs()) {
      defaults.put(knob.setting().getKey(), knob.setting().getDefault(Settings.EMPTY));
    }
    assertEquals(Map.of("millrace.observe.dashboard.rows", 10), defaults);
  }

  @Test
  void zeroRowsAreRefusedByName() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                feature
                    .knobs()
                    .getFirst()
                    .setting()
                    .get(Settings.builder().put("millrace.observe.dashboard.rows", 0).build()));
    assertTrue(refused.getMessage().contains("millrace.observe.dashboard.rows"));
  }

  @Test
  void offKeepsNothing() {
    ShardLoad load = new ShardLoad(() -> false, () -> 10, () -> 0L);
    assertEquals(List.of(), load.report().get("shards"));
    assertEquals(0.0, load.report().get("over_seconds"));
  }
}
