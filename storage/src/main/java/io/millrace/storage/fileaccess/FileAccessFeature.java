package io.millrace.storage.fileaccess;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.shard.IndexSettingProvider;

/**
 * {@code index.millrace.file_access}: which files of an index are mapped, which are loaded ahead.
 *
 * <p>Why: stock reads stored fields and positions by calls whatever the index is for
 * (IndexModule#INDEX_STORE_HYBRID_NIO_EXTENSIONS, FsDirectoryFactory.HybridDirectory). The lists
 * can be set per index, but replace stock's as a whole and want to be known by file extension; a
 * preset says what the index is for. The settings are put into the index while it is created, as
 * those of a template: a request or a template overrides each.
 *
 * <p>Sources: promise file-access; docs/file-access.md.
 */
public final class FileAccessFeature implements Feature {
  private static final String ID = "storage.file-access";

  /** What the index is for, as far as reading its files goes. */
  public static final Setting<FileAccess> PRESET =
      new Setting<>(
          "index.millrace.file_access",
          FileAccess.NONE.toString(),
          FileAccess::parse,
          Property.IndexScope,
          Property.Final);

  private final Switch enabled = Feature.switchFor(ID, true);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.millrace.file_access` decides which files of an index are mapped or "
        + "loaded ahead";
  }

  @Override
  public List<String> sources() {
    return List.of("file-access");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            PRESET,
            "How files are read. `map_stored_fields`: stored fields are memory-mapped. `map_and_load`: all "
                + "files are mapped, and terms, postings, norms and doc values are loaded when a "
                + "segment is opened. `none`: as stock. It sets "
                + "`index.store.hybrid.nio.extensions` and `index.store.preload` while the index "
                + "is created."));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.leftOutOfProfiles(
        LeftOut.ofAll(
            PRESET.getKey(),
            "not measured with columns, nor where the data does not fit into memory"));
    hooks.indexSettings(
        new IndexSettingProvider() {
          @Override
          public Settings getAdditionalIndexSettings(
              String index, boolean dataStream, Settings templateAndRequest) {
            return enabled.on() ? added(templateAndRequest) : Settings.EMPTY;
          }
        });
  }

  /** What the preset named in these settings adds; a null of the request takes a setting back. */
  static Settings added(Settings templateAndRequest) {
    return PRESET
        .get(templateAndRequest)
        .settings()
        .filter(key -> !templateAndRequest.keySet().contains(key));
  }
}
