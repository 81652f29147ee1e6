package io.millrace.storage.fileaccess;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;

/** How the files of an index are read; docs/file-access-measured.md gives the figures. */
public enum FileAccess {
  /** Nothing is set: stock's choice. */
  NONE(Set.of(), List.of()),

  /**
   * Stored fields are mapped: what a page of hits costs falls by a third to a half while the blocks
   * are in the page cache. Nothing is loaded ahead, because a log index is larger than memory.
   */
  MAP_STORED_FIELDS(Set.of("fdt", "fdx"), List.of()),

  /**
   * For indices that fit into memory and are searched all the time: stored fields, positions and
   * payloads are mapped too, and what every query touches (terms, postings, norms, doc values) is
   * loaded into the page cache when a segment is opened.
   */
  MAP_AND_LOAD(
      Set.of("fdt", "fdx", "pos", "pay", "tvd", "tvx"), List.of("nvd", "dvd", "tim", "tip", "doc"));

  private final Set<String> mapped;
  private final List<String> preloaded;

  FileAccess(Set<String> mapped, List<String> preloaded) {
    this.mapped = mapped;
    this.preloaded = preloaded;
  }

  /**
   * The preset of a name.
   *
   * @throws IllegalArgumentException naming setting, value and the names there are
   */
  static FileAccess parse(String name) {
    for (FileAccess each : values()) {
      if (each.toString().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "[index.millrace.file_access] is [" + name + "]; use one of " + Arrays.toString(values()));
  }

  /** The settings that this preset gives to an index; stock's own defaults are their base. */
  Settings settings() {
    Settings.Builder settings = Settings.builder();
    if (!mapped.isEmpty()) {
      List<String> byCalls =
          new ArrayList<>(IndexModule.INDEX_STORE_HYBRID_NIO_EXTENSIONS.getDefault(Settings.EMPTY));
      byCalls.removeAll(mapped);
      settings.putList(IndexModule.INDEX_STORE_HYBRID_NIO_EXTENSIONS.getKey(), byCalls);
    }
    if (!preloaded.isEmpty()) {
      settings.putList(IndexModule.INDEX_STORE_PRE_LOAD_SETTING.getKey(), preloaded);
    }
    return settings.build();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
