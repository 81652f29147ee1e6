package io.millrace.write.profiles;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MatchOnlyTextFieldMapper;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.threadpool.Scheduler;

/**
 * Index profiles, in place of settings that operators tune by hand: {@code index.millrace.profile:
 * logs | traces | search} in a create request or an index template.
 *
 * <p>The defaults are put into the index while it is created (IndexSettingProvider,
 * MetadataCreateIndexService#aggregateIndexSettings at 3.8.0): they stand in {@code GET
 * index/_settings} like settings somebody wrote, a template or a request overrides each, and null
 * in either takes one back. Existing indices are never touched.
 */
public final class ProfilesFeature implements Feature {
  /** The profile of an index; chosen when it is created. */
  public static final Setting<Profile> PROFILE =
      new Setting<>(
          "index.millrace.profile", "none", Profile::parse, Property.IndexScope, Property.Final);

  /** How soon a searched shard shows what was written; -1: at the refresh interval only. */
  public static final Setting<TimeValue> FRESHNESS =
      new Setting<>(
          "index.millrace.freshness",
          settings -> PROFILE.get(settings).freshness().getStringRep(),
          value -> freshness(value),
          Property.IndexScope,
          Property.Dynamic);

  private final Switch enabled = Feature.switchFor(id(), true);

  private final Knob<String> codec =
      new Knob<>(
          Setting.simpleString(prefix() + ".codec", "", Property.NodeScope),
          "The codec that the profiles `logs` and `traces` set on new indices, such as "
              + "`zstandard`. Empty leaves stock's codec. Every node of the cluster must know "
              + "the codec.");

  private final ShardFreshness freshness = new ShardFreshness(enabled);
  private final LossyMappings lossyMappings = new LossyMappings(enabled);
  private @Nullable ClusterService clusterService;
  private Scheduler.@Nullable Cancellable looking;

  private static TimeValue freshness(String value) {
    TimeValue time = TimeValue.parseTimeValue(value, "index.millrace.freshness");
    if (time.millis() >= 0 && time.millis() < 1000) {
      throw new IllegalArgumentException(
          "[index.millrace.freshness] is ["
              + value
              + "]; use 1s or more, or -1 for the refresh interval alone");
    }
    return time;
  }

  @Override
  public String id() {
    return "write.profiles";
  }

  @Override
  public String summary() {
    return "`index.millrace.profile` sets refresh, translog and shards for logs, traces or "
        + "search";
  }

  @Override
  public List<String> sources() {
    return List.of("index-defaults", "shard-count", "flush-thresholds", "fresh-logs");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            PROFILE,
            "What the index is for: `logs`, `traces`, `search` or `none`. It sets defaults "
                + "while the index is created and cannot be changed later."),
        new Knob<>(
            FRESHNESS,
            "How soon a write can be found while somebody searches the shard (within "
                + "`index.search.idle.after`). At least `1s`; `-1` leaves it to "
                + "`index.refresh_interval`."),
        codec);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "watched_shards",
            "shards",
            "Shards of profiled indices on this node",
            freshness::watched),
        Metric.counter(
            "refreshes",
            "refreshes",
            "Refreshes made because somebody searched the shard; those of the refresh "
                + "interval are not counted",
            freshness.refreshes::sum),
        Metric.counter(
            "refresh_millis",
            "ms",
            "Time that these refreshes took",
            freshness.refreshMillis::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.indexSettings(
        new IndexSettingProvider() {
          @Override
          public Settings getAdditionalIndexSettings(
              String index, boolean dataStream, Settings templateAndRequest) {
            return enabled.on() ? defaults(templateAndRequest) : Settings.EMPTY;
          }
        });
    hooks.index(freshness::watch);
    hooks.indexCreation(this::refuseLoss);
    hooks.actionFilter(lossyMappings);
    hooks.rest(new RestProfileTemplatesAction());
  }

  /** What the profile named in these settings adds to a new index. */
  Settings defaults(Settings templateAndRequest) {
    Profile profile = PROFILE.get(templateAndRequest);
    Settings.Builder out = Settings.builder();
    profile.defaults().forEach(d -> out.put(d.key(), d.value()));
    if (profile.spreads()) {
      ClusterService service = clusterService;
      int nodes = service == null ? 1 : service.state().nodes().getDataNodes().size();
      out.put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, Math.max(1, Math.min(3, nodes)));
      if (!codec.value().isEmpty()) {
        out.put(EngineConfig.INDEX_CODEC_SETTING.getKey(), codec.value());
      }
    }
    // a null takes the default back; stock's own loop for that fails while it removes (ibid., 1100)
    templateAndRequest.keySet().stream()
        .filter(key -> templateAndRequest.get(key) == null)
        .forEach(out::remove);
    return out.build();
  }

  /**
   * A {@code match_only_text} field holds nothing from which a derived source could be made: stock
   * takes the documents and gives them back without the field.
   */
  private void refuseLoss(MapperService mapperService, IndexSettings settings) {
    if (!enabled.on()
        || !settings.getValue(IndexSettings.INDEX_DERIVED_SOURCE_SETTING)
        || mapperService.documentMapper() == null) {
      return;
    }
    for (Mapper mapper : mapperService.documentMapper().mappers()) {
      if (mapper instanceof FieldMapper field
          && field.fieldType().typeName().equals(MatchOnlyTextFieldMapper.CONTENT_TYPE)
          && !field.fieldType().isStored()
          // its parent gives the value back
          && !mapperService.documentMapper().mappers().isMultiField(field.name())) {
        throw LossyMappings.refusal(field.name());
      }
    }
  }

  @Override
  public void start(NodeServices services) {
    clusterService = services.clusterService();
    lossyMappings.start(services);
    looking = freshness.start(services.threadPool());
  }

  @Override
  public void stop() {
    if (looking != null) {
      looking.cancel();
    }
  }
}
