package io.millrace.pipelines.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;

class IndexNameTest {
  private static final Setting<IndexName> SETTING = IndexName.setting("some.index", "logs-{day}");

  private static IndexName of(String name) {
    return SETTING.get(Settings.builder().put("some.index", name).build());
  }

  @Test
  void aNameWithoutADayStays() {
    assertEquals("stream", of("stream").of(5, 6));
  }

  @Test
  void theDayIsThatOfUtc() {
    long now = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    assertEquals("a-2026.02.28-b", of("a-{day}-b").of(now - 1, now));
    assertEquals("a-2026.03.01-b", of("a-{day}-b").of(now, now));
    assertEquals("logs-{day}", SETTING.getDefault(Settings.EMPTY).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Logs", "a b", "{day}", "", "-a", "a{day}{day}", "a*", "a/b", "_a"})
  void whatNoIndexMayBeCalledIsRefusedByName(String name) {
    String said = assertThrows(IllegalArgumentException.class, () -> of(name)).getMessage();
    assertTrue(said.contains("[some.index] is [" + name + "]"), said);
  }
}
