package io.millrace.write.profiles;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.Profiles;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
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
 * in either takes one back. Existing indices are never touched. Which defaults there are is what
 * features of every domain contribute ({@link Profiles}); this feature applies them and keeps the
 * freshness.
 */
public final class ProfilesFeature implements Feature {
  /**
   * The name of a data stream in that of its backing index (DataStream#getDefaultBackingIndexName).
   */
  private static final Pattern BACKING_INDEX = Pattern.compile("\\.ds-(.+)-[0-9]{6}");

  private final Switch enabled = Feature.switchFor(id(), true);

  private final Knob<List<String>> logs = patterns(Profile.LOGS);
  private final Knob<List<String>> traces = patterns(Profile.TRACES);

  private final Knob<Boolean> lossless =
      new Knob<>(
          LossyMappings.LOSSLESS,
          "`false` takes fields that `index.derived_source.enabled` cannot give back, as stock does.");

  private final ShardFreshness freshness = new ShardFreshness(enabled);
  private final LossyMappings lossyMappings = new LossyMappings(enabled);
  private @Nullable ClusterService clusterService;
  private Scheduler.@Nullable Cancellable looking;

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
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "watched_shards", "shards", "Shards with a freshness on this node", freshness::watched),
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
    Profiles profiles = hooks.profiles();
    profiles.freshnessKept(enabled::on);
    WriteEntries.all(this::dataNodes).forEach(hooks::profile);
    hooks.leftOutOfProfiles(
        LeftOut.ofWritten(
            "skip_list",
            "OpenSearch gives @timestamp a skip list of doc values by itself; for other fields it is not"
                + " measured"));
    hooks.indexSettings(
        new IndexSettingProvider() {
          @Override
          public Settings getAdditionalIndexSettings(
              String index, boolean dataStream, Settings templateAndRequest) {
            return enabled.on()
                ? profiles.defaults(
                    templateAndRequest, profiles.lacking() ? Profile.NONE : profileOf(index))
                : Settings.EMPTY;
          }
        });
    hooks.index(freshness::watch);
    hooks.indexCreation(this::refuseLoss);
    hooks.actionFilter(lossyMappings);
    hooks.rest(new RestProfileTemplatesAction(profiles));
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(logs, traces, lossless);
  }

  private Knob<List<String>> patterns(Profile profile) {
    return new Knob<>(
        Setting.listSetting(
            prefix() + ".indices." + profile.key(),
            List.of(),
            Function.identity(),
            Property.NodeScope,
            Property.Dynamic),
        "Names of new indices and data streams, with `*`, that get the profile `"
            + profile.key()
            + "` where neither a template nor the request names one. Millrace's distribution sets it.");
  }

  /** The profile that the name of an index stands for; a backing index has its data stream's. */
  private Profile profileOf(String index) {
    Matcher backing = BACKING_INDEX.matcher(index);
    String name = backing.matches() ? backing.group(1) : index;
    if (logs.value().stream().anyMatch(pattern -> Regex.simpleMatch(pattern, name))) {
      return Profile.LOGS;
    }
    return traces.value().stream().anyMatch(pattern -> Regex.simpleMatch(pattern, name))
        ? Profile.TRACES
        : Profile.NONE;
  }

  private int dataNodes() {
    ClusterService service = clusterService;
    return service == null ? 1 : service.state().nodes().getDataNodes().size();
  }

  /**
   * A {@code match_only_text} field holds nothing from which a derived source could be made: stock
   * takes the documents and gives them back without the field.
   */
  private void refuseLoss(MapperService mapperService, IndexSettings settings) {
    if (!enabled.on()
        || !settings.getValue(IndexSettings.INDEX_DERIVED_SOURCE_SETTING)
        || !LossyMappings.LOSSLESS.get(settings.getSettings())
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
