package io.millrace.kernel.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeValue;

/** Refusals name the setting, the value and what may be given. */
class CheckedTest {
  private static <T> T value(Setting<T> setting, String text) {
    return setting.get(Settings.builder().put(setting.getKey(), text).build());
  }

  private static String refused(Setting<?> setting, String text) {
    return assertThrows(IllegalArgumentException.class, () -> value(setting, text)).getMessage();
  }

  @Test
  void flags() {
    Setting<Boolean> flag = Checked.flag("a.b", true, Property.NodeScope);
    assertTrue(flag.get(Settings.EMPTY));
    assertFalse(value(flag, "false"));
    assertEquals("[a.b] is [TRUE]; give [true] or [false]", refused(flag, "TRUE"));
    Setting<Boolean> other = Checked.flag("a.c", flag, Property.NodeScope);
    assertFalse(other.get(Settings.builder().put("a.b", false).build()));
    assertEquals("[a.c] is []; give [true] or [false]", refused(other, ""));
  }

  @Test
  void memory() {
    ByteSizeValue least = new ByteSizeValue(10);
    Setting<ByteSizeValue> memory = Checked.memory("a.b", "2%", least, Property.NodeScope);
    assertEquals(1 << 20, value(memory, "1mb").getBytes());
    assertEquals("2%", memory.getDefaultRaw(Settings.EMPTY));
    for (String wrong : List.of("101%", "-5%", "-1", "9b", "much", "1.5", "")) {
      String said = refused(memory, wrong);
      assertTrue(said.startsWith("[a.b] is [" + wrong + "]; give bytes, such as"), said);
      assertTrue(said.contains("[2%]"), said);
    }
    assertTrue(refused(memory, "9b").endsWith("at least [10b]"), refused(memory, "9b"));
  }

  @Test
  void numbers() {
    Setting<Double> number = Checked.number("a.b", 0.5, 0, 1, Property.NodeScope);
    assertEquals(0.5, number.get(Settings.EMPTY));
    for (String wrong : List.of("NaN", "1.01", "-0.1", "x", "")) {
      assertEquals(
          "[a.b] is [" + wrong + "]; give a number from [0.0] to [1.0]", refused(number, wrong));
    }
  }

  @Test
  void lines() {
    Setting<List<Integer>> lines = Checked.lines("a.b", Integer::valueOf, Property.NodeScope);
    assertEquals(List.of(), lines.get(Settings.EMPTY));
    assertEquals(List.of(1, 2), value(lines, "1,2"));
    assertTrue(refused(lines, "1,x").startsWith("[a.b] has the line [x]: "), refused(lines, "x"));
  }
}
