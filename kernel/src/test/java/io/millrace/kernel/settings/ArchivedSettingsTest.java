package io.millrace.kernel.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;

/** Which archived settings come back: the known, valid ones that nobody set anew. */
class ArchivedSettingsTest {
  private static final List<Setting<?>> KNOWN =
      List.of(
          Setting.boolSetting("index.ours", false, Property.IndexScope, Property.Final),
          Setting.listSetting("index.names", List.of(), Function.identity(), Property.IndexScope));

  private static Settings restored(Settings.Builder settings) {
    return ArchivedSettings.restored(settings.build(), KNOWN);
  }

  @Test
  void knownOnesComeBackWithTheirValues() {
    Settings settings =
        restored(
            Settings.builder()
                .put("index.uuid", "u")
                .put("archived.index.ours", true)
                .putList("archived.index.names", "a", "b,c"));
    assertEquals("true", settings.get("index.ours"));
    assertEquals(List.of("a", "b,c"), settings.getAsList("index.names"));
    assertEquals("u", settings.get("index.uuid"));
    assertFalse(settings.keySet().stream().anyMatch(key -> key.startsWith("archived.")));
  }

  @Test
  void othersStayAsTheyAre() {
    for (Settings.Builder others :
        List.of(
            Settings.builder().put("archived.index.someone.elses", true),
            Settings.builder().put("archived.index.ours", "neither"),
            Settings.builder().put("archived.index.ours", true).put("index.ours", false),
            Settings.builder().put("index.ours", true))) {
      Settings settings = others.build();
      assertSame(settings, ArchivedSettings.restored(settings, KNOWN));
    }
  }
}
