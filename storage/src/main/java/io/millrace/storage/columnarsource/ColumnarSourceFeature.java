package io.millrace.storage.columnarsource;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import io.millrace.storage.columnarsource.block.SourceCounters;
import io.millrace.storage.zstandard.CodecOption;
import io.millrace.storage.zstandard.CodecUpdateFilter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.MapperService;

/**
 * {@code index.millrace.columnar_source.enabled}: {@code _source} as columns, byte-exact.
 *
 * <p>Why: {@code _source} is more than half of a log index, and no block compression sees that its
 * bytes are the same ten columns in every line.
 *
 * <p>Off means: no new index may be given the setting; indices that have it stay readable and
 * writable, because the format is part of their data, and a {@code _source} filter decodes whole
 * documents.
 *
 * <p>Sources: promises columnar-source and small-logs (a whole index in half of LZ4's bytes);
 * EngineConfigFactory#EngineConfigFactory, CodecService#CodecService,
 * MetadataCreateIndexService#aggregateIndexSettings and
 * MetadataCreateIndexService#updateIndexMappingsAndBuildSortOrder at 3.8.0;
 * docs/columnar-source-measured.md for what was measured.
 */
public final class ColumnarSourceFeature implements Feature {
  private static final String ID = "storage.columnar-source";
  private static final CodecOption OPTION =
      new CodecOption("index.millrace.columnar_source.enabled");
  private static final String DERIVED_SOURCE = "index.derived_source.enabled";

  /** The index setting: columns for {@code _source}; fixed at creation. */
  public static final Setting<Boolean> INDEX_ENABLED = OPTION.setting();

  private final Switch enabled = Feature.switchFor(ID, true);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.millrace.columnar_source.enabled` stores `_source` as columns and gives "
        + "it back byte for byte";
  }

  @Override
  public List<String> sources() {
    return List.of("columnar-source", "small-logs", "result-trimming");
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
            "`true` stores `_source` as columns. It needs `index.codec` to be `zstandard`, "
                + "`zstandard_16k` or `zstandard_archive`, and sets `zstandard` where no codec is "
                + "given."));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.codecLayer(new ColumnarSourceLayer());
    hooks.indexSettings(OPTION.codecOfNewIndex());
    hooks.indexCreation(this::validateNewIndex);
    hooks.searchListener(
        SearchOrder.FETCH,
        new FilteredFetchListener(enabled, ColumnarSourceCodec.registered().fetches()));
    for (Profile written : List.of(Profile.LOGS, Profile.TRACES)) {
      hooks.profile(
          OPTION.entry(
              written,
              "`_source` as columns, byte for byte: a quarter of the bytes that LZ4 takes for it",
              enabled,
              settings -> !settings.getAsBoolean(DERIVED_SOURCE, false)));
    }
    hooks.actionFilter(new CodecUpdateFilter(ColumnarSourceFeature::refusal));
  }

  /** The codec is chosen by its setting, never by its name. */
  private static @Nullable String refusal(String codec) {
    return codec.equals(ColumnarSourceCodec.NAME)
        ? "[index.codec: "
            + codec
            + "] is the name inside segments; set ["
            + INDEX_ENABLED.getKey()
            + ": true] for a new index instead"
        : null;
  }

  private void validateNewIndex(MapperService mapper, IndexSettings index) {
    Settings settings = index.getSettings();
    String codec = index.getValue(EngineConfig.INDEX_CODEC_SETTING);
    String refusal = refusal(codec);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    if (!OPTION.askedBy(index)) {
      return;
    }
    OPTION.validate(index, enabled);
    if (settings.getAsBoolean(DERIVED_SOURCE, false)) {
      throw new IllegalArgumentException(
          OPTION.named()
              + "cannot be used with ["
              + DERIVED_SOURCE
              + ": true], which stores no _source; leave one of them out");
    }
    DocumentMapper document = mapper.documentMapper();
    // a profile gives the option to every index of its kind; where there is no _source it does
    // nothing
    boolean asked = Profile.SETTING.get(settings) == Profile.NONE;
    if (asked && document != null && !document.sourceMapper().enabled()) {
      throw new IllegalArgumentException(
          OPTION.named()
              + "has nothing to store with [_source.enabled: false]; leave one of them out");
    }
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        metric("documents", "documents", "Documents encoded, merges included", c -> c.documents),
        metric(
            "raw_documents",
            "documents",
            "Documents that were kept as they were instead of as columns",
            c -> c.rawDocuments),
        metric("plain", "bytes", "Bytes of _source encoded", c -> c.plainBytes),
        metric("stored", "bytes", "Bytes of blocks written or copied", c -> c.storedBytes),
        metric("blocks_copied", "blocks", "Blocks that merges copied whole", c -> c.blocksCopied),
        metric("blocks_read", "blocks", "Blocks read and checked", c -> c.blocksRead),
        metric(
            "partial_documents",
            "documents",
            "Documents read of which only the fields asked for were decoded",
            c -> c.partialDocuments),
        metric("damaged_blocks", "blocks", "Blocks refused as damaged", c -> c.damagedBlocks),
        Metric.gauge(
            "open_compressors",
            "contexts",
            "Native contexts held by segments that are being written now",
            ColumnarSourceCodec.registered().counters().openCompressors::sum));
  }

  /** Lucene's registry of codecs is JVM-wide, and so are these. */
  private static Metric metric(
      String name, String unit, String doc, Function<SourceCounters, LongAdder> counter) {
    LongAdder adder = counter.apply(ColumnarSourceCodec.registered().counters());
    return new Metric(
        name,
        Kind.COUNTER,
        unit,
        doc + ", since the start of the JVM",
        Merge.SUM,
        () -> List.of(new Sample(Map.of(), adder.doubleValue())));
  }
}
