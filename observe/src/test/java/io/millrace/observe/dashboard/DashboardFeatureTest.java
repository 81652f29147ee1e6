package io.millrace.observe.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

class DashboardFeatureTest {
  private final DashboardFeature feature = new DashboardFeature();

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
