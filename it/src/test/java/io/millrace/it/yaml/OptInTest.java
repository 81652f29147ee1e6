package io.millrace.it.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OptInTest {
  @Test
  void everyIndexSettingActsOrSaysWhyNot() {
    Map<String, String> defaults = OptIn.defaults();
    assertTrue(defaults.containsKey("index.bulk_routing.enabled"), defaults.toString());
    TreeSet<String> missing = new TreeSet<>(defaults.keySet());
    missing.removeAll(OptIn.settings(1).keySet());
    missing.removeAll(OptIn.without().keySet());
    // on by default
    missing.removeIf(key -> "true".equals(defaults.get(key)));
    assertEquals(
        List.of(), List.copyOf(missing), "give each a value in opt-in.json, or a reason why not");
  }

  @Test
  void noReasonOutlivesItsSetting() {
    TreeSet<String> gone = new TreeSet<>(OptIn.without().keySet());
    gone.removeAll(OptIn.defaults().keySet());
    assertEquals(List.of(), List.copyOf(gone));
  }
}
