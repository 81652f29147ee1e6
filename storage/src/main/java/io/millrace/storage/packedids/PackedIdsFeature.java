package io.millrace.storage.packedids;

import io.millrace.kernel.Feature;
import io.millrace.kernel.Hooks;
import io.millrace.kernel.Knob;
import io.millrace.kernel.Switch;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.zstandard.ZstandardCodec;
import io.millrace.storage.zstandard.ZstandardFeature;
import io.millrace.storage.zstandard.ZstandardVariant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.codecs.Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.shard.IndexSettingProvider;

/**
 * {@code index.millrace.packed_ids.enabled}: hexadecimal ids in half their bytes in terms and doc
 * values.
 *
 * <p>Why: a random trace id of 32 digits carries 16 bytes, and an index holds it in the terms, in
 * the doc values' terms and in {@code _source}. No compression of Lucene's finds anything in it
 * beyond that its bytes are ASCII; {@code _source} in columns already packs it.
 *
 * <p>Off means: no new index may be given the setting; indices that have it stay readable and
 * writable. It is opt-in, because prefix and regexp searches of packed fields cost more CPU
 * (docs/packed-ids.md).
 *
 * <p>Sources: design goal of a whole index in half of LZ4's bytes; CodecService:118-140,
 * PerFieldMappingPostingFormatCodec:83 at 3.8.0; docs/packed-ids.md for what was measured.
 */
public final class PackedIdsFeature implements Feature {
  private static final String ID = "storage.packed-ids";

  /** The index setting: packed terms of hexadecimal fields; fixed at creation. */
  public static final Setting<Boolean> INDEX_ENABLED =
      new Setting<>(
          "index.millrace.packed_ids.enabled",
          "false",
          PackedIdsFeature::parse,
          Property.IndexScope,
          Property.Final);

  private final Switch enabled = Feature.switchFor(ID, true);

  /** As stock parses it, but the error names the setting. */
  private static boolean parse(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "[index.millrace.packed_ids.enabled: " + value + "] must be true or false");
    };
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.millrace.packed_ids.enabled`: fields of hexadecimal ids in half their bytes in terms"
        + " and doc values";
  }

  @Override
  public List<String> sources() {
    return List.of("beyond the seeds: packed hexadecimal ids");
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
            "Packs the terms of fields whose values are lowercase hexadecimal of one even length"
                + " from 16 to 128. Given at creation, kept for the index's life; needs"
                + " `index.codec` to be one of zstandard, zstandard_16k and zstandard_archive, and"
                + " sets zstandard where none is given"));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.codecs(PackedIdsFeature::codecs);
    hooks.indexSettings(new CodecOfNewIndex());
    hooks.indexCreation((mapper, index) -> validateNewIndex(index));
  }

  /** Where the setting is on, in place of the same names of the features declared before. */
  private static Map<String, Codec> codecs(
      @Nullable MapperService mapper, IndexSettings index, Supplier<Codec> stock) {
    Settings settings = index.getSettings();
    boolean composite = mapper != null && mapper.isCompositeIndexPresent();
    if (!INDEX_ENABLED.get(settings) || composite) {
      return Map.of();
    }
    Codec packed = new PackedIdsCodec(stock.get());
    Map<String, Codec> codecs =
        new HashMap<>(ColumnarSourceFeature.codecs(mapper, index, () -> packed));
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      codecs.computeIfAbsent(
          variant.alias(),
          name ->
              ZstandardCodec.registered(variant)
                  .over(packed, ZstandardFeature.level(variant, settings)));
    }
    return codecs;
  }

  /** A codec for an index that asks for packed ids and names none. */
  private static final class CodecOfNewIndex implements IndexSettingProvider {
    @Override
    public Settings getAdditionalIndexSettings(
        String index, boolean isDataStreamIndex, Settings settings) {
      String codec = EngineConfig.INDEX_CODEC_SETTING.getKey();
      return INDEX_ENABLED.get(settings) && !settings.hasValue(codec)
          ? Settings.builder().put(codec, ZstandardVariant.STANDARD.alias()).build()
          : Settings.EMPTY;
    }
  }

  private void validateNewIndex(IndexSettings index) {
    Settings settings = index.getSettings();
    if (!INDEX_ENABLED.get(settings) || IndexMetadata.INDEX_RESIZE_SOURCE_UUID.exists(settings)) {
      return;
    }
    String on = "[" + INDEX_ENABLED.getKey() + ": true] ";
    if (!enabled.on()) {
      throw new IllegalArgumentException(
          on
              + "is switched off for new indices by ["
              + enabled.setting().getKey()
              + ": false]; set it to true or leave the index setting out");
    }
    String codec = index.getValue(EngineConfig.INDEX_CODEC_SETTING);
    List<String> aliases =
        Arrays.stream(ZstandardVariant.values()).map(ZstandardVariant::alias).toList();
    if (!aliases.contains(codec)) {
      throw new IllegalArgumentException(
          on
              + "cannot be used with [index.codec: "
              + codec
              + "]; leave the codec out or choose one of "
              + aliases);
    }
  }
}
