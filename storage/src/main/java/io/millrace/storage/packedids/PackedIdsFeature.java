package io.millrace.storage.packedids;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.zstandard.CodecOption;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.IndexSettingProvider;

/**
 * {@code index.millrace.packed_ids.enabled}: hexadecimal ids in half their bytes in terms and doc
 * values.
 *
 * <p>Why: a random trace id of 32 digits carries 16 bytes, and an index holds it in the terms, in
 * the doc values' terms and in {@code _source}. No compression of Lucene's finds anything in it
 * beyond that its bytes are ASCII; {@code _source} in columns already packs it.
 *
 * <p>Off means: no new index may be given the setting, and one with columnar source is not given
 * it; indices that have it stay readable and writable. Without columnar source it is opt-in,
 * because prefix and regexp searches of packed fields cost more CPU (docs/packed-ids.md); with it,
 * it is the default, because only both together halve a log index
 * (docs/adr/20261121-packed-ids-with-columnar-source.md).
 *
 * <p>Sources: design goal of a whole index in half of LZ4's bytes; CodecService#CodecService,
 * PerFieldMappingPostingFormatCodec#getPostingsFormatForField at 3.8.0; docs/packed-ids-measured.md
 * for what was measured.
 */
public final class PackedIdsFeature implements Feature {
  private static final String ID = "storage.packed-ids";
  private static final CodecOption OPTION = new CodecOption("index.millrace.packed_ids.enabled");

  /** The index setting: packed terms of hexadecimal fields; fixed at creation. */
  public static final Setting<Boolean> INDEX_ENABLED = OPTION.setting();

  private final Switch enabled = Feature.switchFor(ID, true);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.millrace.packed_ids.enabled` halves the bytes of hexadecimal ids in "
        + "terms and doc values";
  }

  @Override
  public List<String> sources() {
    return List.of("packed-ids");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            INDEX_ENABLED,
            "`true` packs the terms of fields whose values are lowercase hexadecimal of one "
                + "even length from 16 to 128. It needs `index.codec` to be `zstandard`, "
                + "`zstandard_16k` or `zstandard_archive`, and sets `zstandard` where no codec is "
                + "given. An index with `index.millrace.columnar_source.enabled` gets `true` "
                + "where nothing is said."));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.codecLayer(new PackedIdsLayer());
    hooks.indexSettings(OPTION.codecOfNewIndex());
    hooks.indexSettings(withColumns());
    hooks.indexCreation((mapper, index) -> validateNewIndex(index));
    for (Profile written : List.of(Profile.LOGS, Profile.TRACES)) {
      hooks.profile(
          OPTION.entry(
              written,
              "hexadecimal ids in half their bytes in terms and doc values",
              enabled,
              settings -> true));
    }
  }

  /**
   * Gives the setting to a new index with columns that says nothing of it. Written into the index's
   * settings and not a fallback of the setting, so that it is seen there, that an index which
   * exists keeps what it has, and that the switch can leave it out.
   */
  private IndexSettingProvider withColumns() {
    return new IndexSettingProvider() {
      @Override
      public Settings getAdditionalIndexSettings(
          String index, boolean isDataStreamIndex, Settings settings) {
        return enabled.on()
                && ColumnarSourceFeature.INDEX_ENABLED.get(settings)
                && !settings.hasValue(INDEX_ENABLED.getKey())
            ? Settings.builder().put(INDEX_ENABLED.getKey(), true).build()
            : Settings.EMPTY;
      }
    };
  }

  private void validateNewIndex(IndexSettings index) {
    if (OPTION.askedBy(index)) {
      OPTION.validate(index, enabled);
    }
  }
}
