package io.millrace.storage.offheapcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeValue;

class OffHeapCacheFeatureTest {
  private final OffHeapCacheFeature feature = new OffHeapCacheFeature();

  @Test
  void holdsNothingBeforeItIsOn() {
    assertEquals(0, feature.cache().figures().capacityBytes());
  }

  @Test
  void badSizesAreRefusedWithTheirName() {
    Setting<?> size = feature.knobs().get(0).setting();
    for (String value :
        new String[] {"1kb", "2tb", "-1", "lots", "500", "101%", "-1%", "0%", "x%"}) {
      Settings settings = Settings.builder().put(size.getKey(), value).build();
      RuntimeException e = assertThrows(RuntimeException.class, () -> size.get(settings), value);
      assertTrue(e.getMessage().contains(size.getKey()), e.getMessage());
    }
  }

  @Test
  void aPartOfTheHeapIsASize() {
    Setting<?> size = feature.knobs().get(0).setting();
    Settings settings = Settings.builder().put(size.getKey(), "12.5%").build();
    long heap = Runtime.getRuntime().maxMemory();
    assertEquals(heap / 8, ((ByteSizeValue) size.get(settings)).getBytes(), 1);
    assertEquals("500mb", size.get(Settings.EMPTY).toString());
  }

  @Test
  void theLimitOfTheJvmIsKnown() {
    assertTrue(OffHeapCacheFeature.directMemory() > 16L << 20);
  }
}
