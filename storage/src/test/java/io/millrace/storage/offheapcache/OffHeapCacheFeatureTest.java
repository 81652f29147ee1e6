package io.millrace.storage.offheapcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeValue;

class OffHeapCacheFeatureTest {
  private final OffHeapCacheFeature feature = new OffHeapCacheFeature();

  @Test
  void defaults() {
    assertEquals("storage.off-heap-cache", feature.id());
    Setting<Boolean> enable = feature.enabled().setting();
    assertEquals("indices.segment_memory.off_heap.enable", enable.getKey());
    assertEquals(false, enable.getDefault(Settings.EMPTY));
    assertTrue(enable.getProperties().contains(Property.Dynamic));
    assertEquals(1, feature.knobs().size());
    Setting<?> size = feature.knobs().get(0).setting();
    assertEquals("indices.segment_memory.off_heap.size", size.getKey());
    assertEquals(
        ByteSizeValue.parseBytesSizeValue("500mb", "test"), size.getDefault(Settings.EMPTY));
    assertTrue(size.getProperties().contains(Property.Dynamic));
    assertTrue(size.getProperties().contains(Property.NodeScope));
    assertEquals(0, feature.cache().figures().capacityBytes());
  }

  @Test
  void badSizesAreRefusedWithTheirName() {
    Setting<?> size = feature.knobs().get(0).setting();
    for (String value : new String[] {"1kb", "2tb", "-1", "lots", "500"}) {
      Settings settings = Settings.builder().put(size.getKey(), value).build();
      RuntimeException e = assertThrows(RuntimeException.class, () -> size.get(settings), value);
      assertTrue(e.getMessage().contains(size.getKey()), e.getMessage());
    }
  }

  @Test
  void theLimitOfTheJvmIsKnown() {
    assertTrue(OffHeapCacheFeature.directMemory() > 16L << 20);
  }
}
