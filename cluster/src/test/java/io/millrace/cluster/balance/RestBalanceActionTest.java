package io.millrace.cluster.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.settings.Knob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

/** Bad input names itself and says what is right. */
class RestBalanceActionTest {
  @Test
  void movesIsANumberOfKeptMoves() {
    assertEquals(20, RestBalanceAction.moves(null));
    assertEquals(0, RestBalanceAction.moves("0"));
    assertEquals(100, RestBalanceAction.moves("100"));
    for (String bad : List.of("-1", "101", "all", "", "1.5")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> RestBalanceAction.moves(bad));
      assertEquals("[moves] is [" + bad + "]; it must be a number from 0 to 100", e.getMessage());
    }
  }

  @Test
  void badSettingsNameThemselves() {
    Map<String, List<String>> bad =
        Map.of(
            "interval", List.of("0s", "soon", "2d"),
            "window", List.of("10ms", "-1s"),
            "quiet_time", List.of("-1", "2d"),
            "tolerance", List.of("0", "-0.1", "11", "NaN"),
            "least_write_load", List.of("0", "1001", "some"));
    for (Knob<?> knob : new BalanceFeature().knobs()) {
      String name = knob.key().substring(knob.key().lastIndexOf('.') + 1);
      for (String value : bad.getOrDefault(name, List.of())) {
        Settings settings = Settings.builder().put(knob.key(), value).build();
        RuntimeException e =
            assertThrows(
                RuntimeException.class, () -> knob.setting().get(settings), name + " " + value);
        assertTrue(e.getMessage().contains(knob.key()), e.getMessage());
      }
    }
  }
}
