package io.millrace.write.lenientparsing;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ShardHooks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexService;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.indices.cluster.IndicesClusterStateService.AllocatedIndices.IndexRemovalReason;

/**
 * {@code index.millrace.lenient_parsing.enabled}: no document is refused for a value that its
 * mapping does not take.
 *
 * <p>Why: stock refuses a whole log line because one of its fields has another type than the line
 * before, and the line is lost unless its sender keeps it. Here the document is kept whole in
 * {@code _source}; the value is left out of the index and its field named in {@code _ignored}.
 *
 * <p>Off means that primaries refuse what stock refuses. What an index took while it was on stays
 * replayable: replicas and recoveries are always lenient.
 *
 * <p>Sources: IndexShard#applyIndexOperation (parsing failures end an operation),
 * TransportShardBulkAction#executeBulkItemRequest (mapping updates that are refused end it as
 * well), MappingLookup#checkLimits.
 */
public final class LenientParsingFeature implements Feature {
  private static final String ID = "write.lenient-parsing";

  /** Whether primaries of an index take documents in part. */
  public static final Setting<Boolean> INDEX_ENABLED =
      Checked.flag(
          "index.millrace.lenient_parsing.enabled", false, Property.IndexScope, Property.Dynamic);

  /** Where values go that have no field of their own. */
  public static final Setting<String> FLAT_FIELD =
      Setting.simpleString(
          "index.millrace.lenient_parsing.flat_field",
          "unmapped",
          Property.IndexScope,
          Property.Dynamic);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final IgnoredValues ignoredValues = new IgnoredValues();
  private final RefusedUpdates refusedUpdates = new RefusedUpdates(this::lenient);
  private final Map<Index, LenientIndex> indices = new ConcurrentHashMap<>();

  /** What this feature knows of an index of this node. */
  private static final class LenientIndex {
    final MappingGrowth growth;
    volatile boolean on;
    volatile String flatField;

    LenientIndex(IndexService service) {
      growth = new MappingGrowth(service.mapperService());
      IndexSettings settings = service.getIndexSettings();
      on = settings.getValue(INDEX_ENABLED);
      flatField = settings.getValue(FLAT_FIELD);
      settings.getScopedSettings().addSettingsUpdateConsumer(INDEX_ENABLED, value -> on = value);
      settings.getScopedSettings().addSettingsUpdateConsumer(FLAT_FIELD, v -> flatField = v);
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.millrace.lenient_parsing.enabled`: documents with values that their mapping refuses"
        + " are indexed without these values instead of refused";
  }

  @Override
  public List<String> sources() {
    return List.of("no-line-refused");
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
            "`true` indexes a document without the values that its mapping refuses and names their"
                + " fields in `_ignored`; `_source` keeps the document whole. `false` refuses such a"
                + " document, as stock does."),
        new Knob<>(
            FLAT_FIELD,
            "Name of the field that keeps such values searchable, by their path below it. The"
                + " mapping must have it with type `flat_object`; otherwise the setting has no effect."));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "documents",
            "documents",
            "Documents indexed without some of their values, or with cut ones",
            ignoredValues::documents),
        Metric.counter(
            "ignored_values",
            "fields",
            "Fields of such documents that were left out of the index, or cut",
            ignoredValues::values),
        new Metric(
                "ignored_last_minute",
                Kind.GAUGE,
                "documents",
                "Documents of the last minute that lost a value, for the ten fields and sources that"
                    + " lose most",
                Merge.SUM,
                ignoredValues::lastMinute)
            .tagged(Tag.LOST_VALUES),
        Metric.counter(
            "refused_updates",
            "updates",
            "Mapping updates that the cluster manager refused and whose documents were indexed"
                + " without the new fields",
            refusedUpdates::count));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.index(this::watch);
    hooks.actionFilter(refusedUpdates);
    hooks.report("ignored", ignoredValues);
    for (Profile written : List.of(Profile.LOGS, Profile.TRACES)) {
      hooks.profile(
          new ProfileEntry(
              written,
              INDEX_ENABLED.getKey(),
              "true",
              "no line is refused for what it holds: odd values are left out of the index and named",
              settings -> enabled.on() ? "true" : null));
    }
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            return true; // replicas and replays are lenient whatever is set now
          }

          @Override
          public ShardHooks open(EngineConfig config) {
            Index index = config.getShardId().getIndex();
            IndexSettings settings = config.getIndexSettings();
            return new LenientParser(
                () -> {
                  LenientIndex known = indices.get(index);
                  return known == null ? null : known.growth;
                },
                () -> lenient(index),
                () -> {
                  LenientIndex known = indices.get(index);
                  return known == null ? "" : known.flatField;
                },
                () -> settings.getIndexMetadata().getCreationDate(),
                ignoredValues);
          }
        });
  }

  private boolean lenient(Index index) {
    LenientIndex known = indices.get(index);
    return known != null && known.on && enabled.on();
  }

  private void watch(IndexModule module) {
    Index index = module.getIndex();
    module.addIndexOperationListener(
        new OverlongTerms(
            new OverlongTerms.Lenient() {
              @Override
              public boolean on() {
                return lenient(index);
              }

              @Override
              public boolean cut(String field) {
                LenientIndex known = indices.get(index);
                return known != null && known.growth.isKeyword(field);
              }
            },
            ignoredValues));
    module.addIndexEventListener(
        new IndexEventListener() {
          @Override
          public void afterIndexCreated(IndexService service) {
            indices.put(service.index(), new LenientIndex(service));
          }

          @Override
          public void afterIndexRemoved(
              Index index, IndexSettings settings, IndexRemovalReason reason) {
            indices.remove(index);
            if (reason == IndexRemovalReason.DELETED) {
              ignoredValues.remove(index.getName());
            }
          }
        });
  }

  /** What this node left out or cut; others that cut values count there, too. */
  public IgnoredValues ignoredValues() {
    return ignoredValues;
  }
}
