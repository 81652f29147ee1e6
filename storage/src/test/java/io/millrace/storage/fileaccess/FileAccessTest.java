package io.millrace.storage.fileaccess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;

class FileAccessTest {
  private static Settings added(String preset) {
    return FileAccessFeature.added(
        Settings.builder().put("index.millrace.file_access", preset).build());
  }

  @Test
  void presetsStandOnStocksList() {
    assertEquals(Settings.EMPTY, FileAccessFeature.added(Settings.EMPTY));
    assertEquals(Settings.EMPTY, added("none"));
    List<String> stock = IndexModule.INDEX_STORE_HYBRID_NIO_EXTENSIONS.getDefault(Settings.EMPTY);
    List<String> logs =
        IndexModule.INDEX_STORE_HYBRID_NIO_EXTENSIONS.get(added("map_stored_fields"));
    assertTrue(stock.containsAll(List.of("fdt", "fdx", "pos", "pay", "tvd", "tvx")));
    assertEquals(stock.size() - 2, logs.size());
    assertFalse(logs.contains("fdt"));
    assertTrue(logs.contains("pos"));
    assertTrue(IndexModule.INDEX_STORE_PRE_LOAD_SETTING.get(added("map_stored_fields")).isEmpty());
    List<String> search = IndexModule.INDEX_STORE_HYBRID_NIO_EXTENSIONS.get(added("map_and_load"));
    assertEquals(stock.size() - 6, search.size());
    assertEquals(
        List.of("nvd", "dvd", "tim", "tip", "doc"),
        IndexModule.INDEX_STORE_PRE_LOAD_SETTING.get(added("map_and_load")));
  }

  @Test
  void whatIsSetStays() {
    Settings request =
        Settings.builder()
            .put("index.millrace.file_access", "map_and_load")
            .putList("index.store.preload", "tip")
            .build();
    Settings added = FileAccessFeature.added(request);
    assertFalse(added.hasValue("index.store.preload"));
    assertTrue(added.hasValue("index.store.hybrid.nio.extensions"));
  }

  @Test
  void unknownPreset() {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> added("fast"));
    assertTrue(
        e.getMessage()
            .contains(
                "[index.millrace.file_access] is [fast]; use one of [none, map_stored_fields,"),
        e.getMessage());
  }
}
