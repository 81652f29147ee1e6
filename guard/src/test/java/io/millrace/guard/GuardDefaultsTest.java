package io.millrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Knob;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

/** Every default of the budgets, so that a change is seen. */
class GuardDefaultsTest {
  private static Map<String, String> defaults(String id) {
    Map<String, String> defaults = new TreeMap<>();
    for (Feature feature : GuardDomain.features()) {
      if (feature.id().equals(id)) {
        assertTrue(feature.enabled().on(), "on by default");
        for (Knob<?> knob : feature.knobs()) {
          assertTrue(knob.setting().isDynamic(), knob.setting().getKey());
          defaults.put(
              knob.setting().getKey().substring(feature.prefix().length() + 1),
              knob.setting().getDefaultRaw(Settings.EMPTY));
        }
      }
    }
    return defaults;
  }

  @Test
  void inbound() {
    assertEquals(
        Map.of(
            "small", "7%",
            "large", "15%",
            "small_body", "8388608b",
            "max_wait", "10s",
            "floor_rate", "16384b",
            "floor_window", "5s",
            "queued_writes", "1"),
        defaults("guard.inbound-budget"));
  }

  @Test
  void outbound() {
    assertEquals(
        Map.of(
            "node", "10%",
            "pipelining", "2",
            "floor_rate", "4096b",
            "stall_timeout", "30s",
            "pressed_stall_timeout", "2s"),
        defaults("guard.outbound-budget"));
  }
}
