package io.millrace.storage.zstandard;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.settings.Switch;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.MapperService;

/**
 * {@code index.codec: zstandard}: smaller stored fields for less CPU than LZ4 takes to write them.
 *
 * <p>Why: stored fields ({@code _source}) are more than half of a log index; LZ4 leaves a third of
 * them on the table and Deflate costs several times the CPU.
 *
 * <p>Off means: no <em>new</em> index and no closed index may be <em>given</em> one of these
 * codecs; indices that have one stay readable and writable, because the codec is part of their data
 * and refusing it would lose documents. Copies by shrink, split and clone keep their source's codec
 * for the same reason.
 *
 * <p>Sources: promise zstandard; EnginePlugin getAdditionalCodecs,
 * EngineConfigFactory#EngineConfigFactory, CodecService#CodecService,
 * MetadataCreateIndexService#updateIndexMappingsAndBuildSortOrder at 3.8.0;
 * docs/zstandard-measured.md for what was measured.
 */
public final class ZstandardFeature implements Feature {
  private static final Logger logger = LogManager.getLogger(ZstandardFeature.class);
  private static final String ID = "storage.zstandard";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Supplier<@Nullable String> libraryProblem;

  public ZstandardFeature() {
    this(ZstandardLibrary::problem);
  }

  ZstandardFeature(Supplier<@Nullable String> libraryProblem) {
    this.libraryProblem = libraryProblem;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.codec: zstandard` compresses stored fields with Zstandard in blocks of "
        + "16, 32 or 128 KiB";
  }

  @Override
  public List<String> sources() {
    return List.of("zstandard", "small-logs");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.codecLayer(new ZstandardLayer(libraryProblem));
    hooks.indexCreation(this::validateNewIndex);
    for (Profile written : List.of(Profile.LOGS, Profile.TRACES)) {
      hooks.profile(
          new ProfileEntry(
              written,
              EngineConfig.INDEX_CODEC_SETTING.getKey(),
              ZstandardVariant.STANDARD.alias(),
              "about 60 % of the bytes of LZ4 for less CPU when written; single documents cost more"
                  + " to fetch",
              settings ->
                  enabled.on() && libraryProblem.get() == null
                      ? ZstandardVariant.STANDARD.alias()
                      : null));
    }
    hooks.actionFilter(new CodecUpdateFilter(this::refusal));
  }

  @Override
  public void start(NodeServices services) {
    String problem = libraryProblem.get();
    if (problem != null) {
      logger.error(
          "index.codec {} is not available: {}; indices that use it will not open on this node",
          ZstandardVariant.aliases(),
          problem);
    }
  }

  private void validateNewIndex(MapperService mapper, IndexSettings settings) {
    String chosen = settings.getValue(EngineConfig.INDEX_CODEC_SETTING);
    if (!isOurs(chosen)) {
      return;
    }
    if (mapper.isCompositeIndexPresent()) {
      throw new IllegalArgumentException(compositeRefusal(chosen));
    }
    boolean copy = IndexMetadata.INDEX_RESIZE_SOURCE_UUID.exists(settings.getSettings());
    String refusal = refusal(chosen);
    if (refusal != null && !copy) {
      throw new IllegalArgumentException(refusal);
    }
  }

  /** Why an index may not be given this codec now, or null if it may. */
  private @Nullable String refusal(String codec) {
    if (!isOurs(codec)) {
      return null;
    }
    if (!enabled.on()) {
      return "[index.codec: "
          + codec
          + "] is switched off for new indices by ["
          + enabled.setting().getKey()
          + ": false]; set it to true or choose default or best_compression";
    }
    String problem = libraryProblem.get();
    return problem == null ? null : "[index.codec: " + codec + "] cannot be used: " + problem;
  }

  static String compositeRefusal(String codec) {
    return "[index.codec: "
        + codec
        + "] cannot hold composite fields (star_tree); choose default or best_compression";
  }

  static boolean isOurs(String codec) {
    return Stream.of(ZstandardVariant.values())
        .anyMatch(each -> each.alias().equals(codec) || each.codecName().equals(codec));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        metric("compressed_blocks", "blocks", "Blocks compressed", c -> c.compressedBlocks),
        metric(
            "compressed_in",
            "bytes",
            "Uncompressed bytes given to the compressor",
            c -> c.compressedIn),
        metric("compressed_out", "bytes", "Compressed bytes written", c -> c.compressedOut),
        metric("decompressed_blocks", "blocks", "Blocks decoded", c -> c.decompressedBlocks),
        metric("decompressed_in", "bytes", "Compressed bytes read", c -> c.decompressedIn),
        metric("decompressed_out", "bytes", "Uncompressed bytes decoded", c -> c.decompressedOut),
        metric(
            "block_reuses",
            "reads",
            "Documents served from the block that the same request had just decoded",
            c -> c.blockReuses),
        metric("corrupt_blocks", "blocks", "Blocks refused as damaged", c -> c.corruptBlocks),
        metric(
            Kind.GAUGE,
            "open_compressors",
            "contexts",
            "Native contexts held by segments that are being written now",
            c -> c.openCompressors));
  }

  private static Metric metric(
      String name, String unit, String doc, Function<ZstandardCounters, LongAdder> counter) {
    return metric(Kind.COUNTER, name, unit, doc + ", since the start of the JVM", counter);
  }

  /** The registry's codecs count for the whole JVM; each variant is one label. */
  private static Metric metric(
      Kind kind,
      String name,
      String unit,
      String doc,
      Function<ZstandardCounters, LongAdder> counter) {
    Map<ZstandardVariant, LongAdder> adders = new EnumMap<>(ZstandardVariant.class);
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      adders.put(variant, counter.apply(ZstandardCodec.registered(variant).counters()));
    }
    return new Metric(
        name,
        kind,
        unit,
        doc,
        Merge.SUM,
        () ->
            adders.entrySet().stream()
                .map(each ->
                    new Sample(
                        Map.of("codec", each.getKey().alias()), each.getValue().doubleValue()))
                .toList());
  }
}
