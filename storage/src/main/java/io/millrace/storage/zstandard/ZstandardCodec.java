package io.millrace.storage.zstandard;

import io.millrace.storage.offheapcache.BlockCaches;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.index.codec.CodecAliases;
import org.opensearch.index.codec.CodecSettings;
import org.opensearch.index.engine.EngineConfig;

/**
 * Stock's codec with stored fields in Zstandard; every other part of a segment is stock's own.
 *
 * <p>There are two lives of a codec. Lucene's registry creates one per JVM through the public
 * constructor of a subclass (META-INF/services, PluginsService#reloadLuceneSPI reloads the registry
 * for the plugin's class loader) and opens segments with it. For writing, {@link #over} makes one
 * per shard that wraps the shard's own default codec, which knows the mapping (completion fields,
 * fuzzy id sets: PerFieldMappingPostingFormatCodec). Both share contexts, counters and compression
 * modes.
 *
 * <p>{@code index.codec} accepts the alias because of {@link CodecAliases}
 * (EngineConfig#INDEX_CODEC_SETTING), and {@code index.codec.compression_level} because of {@link
 * CodecSettings} (EngineConfig#doValidateCodecSettings).
 */
public abstract class ZstandardCodec extends FilterCodec
    implements CodecAliases, CodecSettings, BlockCaches.User {
  private final ZstandardVariant variant;
  private final ZstandardCounters counters;
  private final ZstandardStoredFieldsFormat storedFields;

  private ZstandardCodec(ZstandardVariant variant) {
    super(variant.codecName(), new Lucene104Codec());
    this.variant = variant;
    this.counters = new ZstandardCounters();
    this.storedFields =
        new ZstandardStoredFieldsFormat(variant, counters, ZstandardLibrary::problem);
  }

  private ZstandardCodec(ZstandardCodec registered, Codec delegate, int level) {
    super(registered.getName(), delegate);
    this.variant = registered.variant;
    this.counters = registered.counters;
    this.storedFields = registered.storedFields.atLevel(level);
  }

  /**
   * The codec that Lucene's registry holds for a variant.
   *
   * @throws IllegalArgumentException if the registry does not know it, which means that the
   *     plugin's jar has lost its META-INF/services
   */
  public static ZstandardCodec registered(ZstandardVariant variant) {
    return (ZstandardCodec) Codec.forName(variant.codecName());
  }

  /** A codec that writes this variant at a level over everything else from {@code delegate}. */
  public Codec over(Codec delegate, int level) {
    return new Derived(this, delegate, level);
  }

  ZstandardVariant variant() {
    return variant;
  }

  ZstandardCounters counters() {
    return counters;
  }

  @Override
  public BlockCaches blockCaches() {
    return storedFields.blockCaches();
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return storedFields;
  }

  @Override
  public Set<String> aliases() {
    return Set.of(variant.alias());
  }

  @Override
  public boolean supports(@Nullable Setting<?> setting) {
    return EngineConfig.INDEX_CODEC_COMPRESSION_LEVEL_SETTING.equals(setting);
  }

  /** {@link ZstandardVariant#STANDARD} for Lucene's registry. */
  public static final class Standard extends ZstandardCodec {
    public Standard() {
      super(ZstandardVariant.STANDARD);
    }
  }

  /** {@link ZstandardVariant#SMALL} for Lucene's registry. */
  public static final class Small extends ZstandardCodec {
    public Small() {
      super(ZstandardVariant.SMALL);
    }
  }

  /** {@link ZstandardVariant#ARCHIVE} for Lucene's registry. */
  public static final class Archive extends ZstandardCodec {
    public Archive() {
      super(ZstandardVariant.ARCHIVE);
    }
  }

  private static final class Derived extends ZstandardCodec {
    Derived(ZstandardCodec registered, Codec delegate, int level) {
      super(registered, delegate, level);
    }
  }
}
