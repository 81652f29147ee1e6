package io.millrace.storage.ordinalpostings;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ShardCodec;
import io.millrace.kernel.slot.ShardHooks;
import io.millrace.storage.packedids.PackedIdsFeature;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.codecs.Codec;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.ParseContext;

/**
 * {@code index.millrace.ordinal_postings.fields}: keywords of ids with one dictionary instead of
 * two.
 *
 * <p>Why: a random id is a new term in every document. Lucene hashes, sorts, compresses and merges
 * it twice, for search and for doc values; the two are most of a log index beside {@code _source}.
 *
 * <p>Nothing of it is in the mapping or in Lucene's schema: a field is a {@code keyword} as before,
 * segments with and without ordinal postings stand side by side in one index and answer the same.
 * So an index that exists can be given the setting while it is closed, and loses it in the same
 * way. Off means that shards opened from then on write as stock.
 *
 * <p>Codec and document change stand or fall together: both are decided when a shard's engine is
 * opened, by the codec that it really has, and by one {@link ServedFields}. That is why this is an
 * engine extension and no codec layer; so it also works over stock's own codecs, whose names no
 * layer can take.
 *
 * <p>Sources: promise ordinal-postings; EngineConfig#toBuilder, KeywordFieldMapper#parseCreateField
 * at 3.8.0; docs/ordinal-postings-measured.md for what was measured.
 */
public final class OrdinalPostingsFeature implements Feature {
  private static final Logger logger = LogManager.getLogger(OrdinalPostingsFeature.class);
  private static final String ID = "storage.ordinal-postings";
  private static final String FIELDS_KEY = "index.millrace.ordinal_postings.fields";

  /**
   * What profiles name: the ids that W3C Trace Context, OpenTelemetry, ECS, SkyWalking and proxies
   * put into lines and spans. Ids of things that many documents share, such as a customer or a
   * host, are left out. A field of stock's dynamic mapping has its keyword below it.
   */
  private static final List<String> IDS =
      List.of(
          "*trace_id",
          "*traceId",
          "*trace.id",
          "*span_id",
          "*spanId",
          "*span.id",
          "*segment_id",
          "*transaction.id",
          "*request_id",
          "*requestId",
          "*request.id",
          "*correlation_id",
          "*correlationId");

  /** The index setting: names or patterns of keyword fields. */
  public static final Setting<List<String>> FIELDS =
      Setting.listSetting(
          FIELDS_KEY, List.of(), OrdinalPostingsFeature::pattern, Property.IndexScope);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final LongAdder omitted = new LongAdder();

  private static String pattern(String pattern) {
    if (pattern.isBlank() || pattern.startsWith("_")) {
      throw new IllegalArgumentException(
          "["
              + FIELDS_KEY
              + "] has ["
              + pattern
              + "]; give names of keyword fields, with * for any characters; names that begin with"
              + " an underscore cannot be had");
    }
    return pattern;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`"
        + FIELDS_KEY
        + "`: keywords of ids are searched through their doc values, without"
        + " terms of their own";
  }

  @Override
  public List<String> sources() {
    return List.of("ordinal-postings");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            FIELDS,
            "Names of keyword fields, or patterns with *, whose terms are kept in doc values only."
                + " Meant for ids: fields with about as many values as documents. Given at creation"
                + " or to a closed index; fields that are no keyword, not indexed, without doc"
                + " values, with norms or with frequencies are left as they are"));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "omitted_terms",
            "terms",
            "Terms that Lucene did not have to gather, since the start of the node",
            omitted::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    for (Profile written : List.of(Profile.LOGS, Profile.TRACES)) {
      hooks.profile(inProfile(written));
    }
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            return enabled.on() && !settings.getValue(FIELDS).isEmpty();
          }

          @Override
          public EngineConfig configure(EngineConfig config) {
            return withOrdinals(config);
          }

          @Override
          public ShardHooks open(EngineConfig config) {
            return omission(config);
          }
        });
  }

  /** Over packed ids only: without them a term costs more to look up than on stock. */
  private ProfileEntry inProfile(Profile profile) {
    String ids =
        IDS.stream().flatMap(id -> Stream.of(id, id + ".keyword")).collect(Collectors.joining(","));
    return new ProfileEntry(
        profile,
        FIELDS_KEY,
        ids,
        "ids of traces and requests in two fifths fewer bytes, for less CPU to write and merge;"
            + " beside packed ids, without which a term costs more to look up",
        settings -> enabled.on() && PackedIdsFeature.INDEX_ENABLED.get(settings) ? ids : null);
  }

  private static EngineConfig withOrdinals(EngineConfig config) {
    IndexSettings settings = config.getIndexSettings();
    Codec stock = config.getCodec();
    ServedFields fields = ServedFields.of(config);
    GatheredIds ids = config.getIndexSort() == null ? new GatheredIds(fields::isPlain) : null;
    Codec codec = OrdinalPostingsCodec.over(stock, fields, ids);
    if (codec == stock) {
      logger.warn(
          "[{}] of index {} has no effect: codec {} does not choose formats by field",
          FIELDS_KEY,
          settings.getIndex(),
          stock.getName());
      return config;
    }
    return ShardCodec.with(config, codec);
  }

  /** Leaves terms out only where the codec that the engine got lets them be found all the same. */
  private ShardHooks omission(EngineConfig config) {
    Predicate<String> fields = OrdinalPostingsCodec.fieldsOf(config.getCodec());
    if (fields == null) {
      return ShardHooks.NONE;
    }
    GatheredIds ids = OrdinalPostingsCodec.idsOf(config.getCodec());
    TermOmission omission = new TermOmission(fields, ids == null ? field -> false : ids::gathers);
    return new ShardHooks() {
      @Override
      public boolean changesDocuments() {
        return true;
      }

      @Override
      public void indexing(Engine.Index operation) {
        for (ParseContext.Document document : operation.docs()) {
          omitted.add(omission.apply(document.getFields()));
        }
      }
    };
  }
}
