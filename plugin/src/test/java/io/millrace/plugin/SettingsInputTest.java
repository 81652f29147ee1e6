package io.millrace.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Knob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;

/**
 * Every setting and everything that somebody may write into it: each value is taken, or refused
 * with an error of the caller's that names the setting and the value and does not end there.
 */
class SettingsInputTest {
  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          "x",
          "-1",
          "0",
          "1",
          "-2",
          "99999999999999999999",
          "1e9",
          "1.5",
          "NaN",
          "-NaN",
          "Infinity",
          "true",
          "TRUE",
          "yes",
          "null",
          "[]",
          "{}",
          "[\"a\"]",
          "101%",
          "-5%",
          "50%",
          "%",
          "1tb",
          "9e",
          "1s",
          "-1s",
          "0ms",
          "1d",
          "100000d",
          "9223372036854775807d",
          "*",
          ".",
          "..",
          "a/b",
          "http://",
          "\u00fcn\u00ef",
          "\0",
          "1.5gb",
          "-1b",
          "0b",
          "9223372036854775807b",
          "9999999999pb",
          "a".repeat(300));

  private static List<Setting<?>> settings() {
    return Features.all().stream()
        .flatMap(Feature::settings)
        .<Setting<?>>map(Knob::setting)
        .toList();
  }

  @Test
  void everyValueIsTakenOrRefusedWithSettingValueAndRemedy() {
    List<String> bad = new ArrayList<>();
    for (Setting<?> setting : settings()) {
      for (String value : VALUES) {
        String said = refusal(setting, value);
        if (said != null) {
          bad.add(setting.getKey() + " = [" + value + "]: " + said);
        }
      }
    }
    assertEquals(List.of(), bad);
  }

  /** What is wrong with the way in which a value is refused; null where nothing is. */
  private static String refusal(Setting<?> setting, String value) {
    String key = setting.getKey();
    try {
      setting.get(Settings.builder().put(key, value).build());
      return null;
    } catch (RuntimeException e) {
      if (!(e instanceof IllegalArgumentException)
          && !(e instanceof org.opensearch.OpenSearchParseException)) {
        return "is " + e;
      }
      String said = String.valueOf(e.getMessage());
      if (!said.contains(key)) {
        return "does not name the setting: " + said;
      }
      return said.length() < key.length() + 15 ? "says too little: " + said : null;
    }
  }

  /** A number that is none passes every comparison with a limit. */
  @Test
  void noNumberIsNotANumber() {
    for (Setting<?> setting : settings()) {
      try {
        Object value = setting.get(Settings.builder().put(setting.getKey(), "NaN").build());
        if (value instanceof Double number) {
          fail(setting.getKey() + " takes " + number);
        }
      } catch (IllegalArgumentException refused) {
        assertTrue(refused.getMessage().contains(setting.getKey()), refused.getMessage());
      }
    }
  }

  /** No limit in bytes is below zero, whatever was given. */
  @Test
  void noMemoryIsNegative() {
    for (Setting<?> setting : settings()) {
      for (String value : List.of("-1", "-1b")) {
        try {
          Object taken = setting.get(Settings.builder().put(setting.getKey(), value).build());
          if (taken instanceof org.opensearch.core.common.unit.ByteSizeValue size) {
            fail(setting.getKey() + " takes " + size);
          }
        } catch (IllegalArgumentException | org.opensearch.OpenSearchParseException refused) {
          assertTrue(refused.getMessage().contains(setting.getKey()), refused.getMessage());
        }
      }
    }
  }
}
