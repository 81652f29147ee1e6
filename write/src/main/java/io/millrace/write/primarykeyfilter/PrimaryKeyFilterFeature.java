package io.millrace.write.primarykeyfilter;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ShardHooks;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;

/**
 * Appends documents whose id, chosen by the sender, is certainly new: no search for an earlier
 * version in every segment, as with generated ids; on by default, because no answer changes.
 *
 * <p>Sources: promise own-ids; stock looks every own id up in every segment
 * (InternalEngine#resolveDocVersion at 3.8.0) and offers a Bloom filter per segment for it ({@code
 * index.optimize_doc_id_lookup.fuzzy_set.enabled},
 * IndexSettings#INDEX_DOC_ID_FUZZY_SET_ENABLED_SETTING), which answers once for each segment, from
 * disk, and costs at every flush and merge; this one answers once for a shard.
 */
public final class PrimaryKeyFilterFeature implements Feature {
  /** Leaves one index to stock. */
  public static final Setting<Boolean> INDEX_ENABLED =
      Checked.flag("index.millrace.primary_key_filter.enabled", true, Property.IndexScope);

  private static final String ID = "write.primary-key-filter";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<ByteSizeValue> memoryLimit =
      new Knob<>(
          Checked.memory(
              prefix() + ".memory", "5%", ByteSizeValue.ZERO, Property.NodeScope, Property.Dynamic),
          "How much memory the filters of all shards of a node may take together: bytes, "
              + "or a share of the heap. An id takes 2 bytes, and up to 4 after growth. A shard "
              + "that gets no more memory looks its ids up as stock does.");
  private final Knob<Double> maxKnownShare =
      new Knob<>(
          Checked.number(
              prefix() + ".max_known_share", 0.9, 0.0, 1.0, Property.NodeScope, Property.Dynamic),
          "Share from 0 to 1. A shard gives its filter up when it already knew more than "
              + "this share of 65,536 ids.");
  private final PrimaryKeyFilterCounters counters = new PrimaryKeyFilterCounters();
  private final Set<ShardIds> shards = ConcurrentHashMap.newKeySet();
  private final FilterMemory memory = new FilterMemory(() -> memoryLimit.value().getBytes());

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A new document with an id of the sender's own is appended without a lookup for "
        + "an earlier version";
  }

  @Override
  public List<String> sources() {
    return List.of("own-ids");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        memoryLimit,
        maxKnownShare,
        new Knob<>(
            INDEX_ENABLED,
            "`false` leaves the ids of an index to stock. Given when the index is created, "
                + "or while it is closed."));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "appended",
            "documents",
            "Documents with an id of their own that were appended without a lookup",
            counters::appended),
        Metric.counter(
            "looked_up",
            "documents",
            "Documents with an id of their own that were looked up as stock does, because "
                + "the filter may hold the id",
            counters::lookedUp),
        Metric.counter(
            "noted",
            "documents",
            "Documents whose id the filter noted without answering: generated ids, "
                + "versions, retries, operations of replicas, and documents that came before the "
                + "filter was complete",
            counters::noted),
        Metric.gauge(
            "bytes",
            "bytes",
            "Memory of all filters; the fielddata breaker counts it as well",
            memory::used),
        Metric.gauge(
            "filters",
            "shards",
            "Shards whose filter is complete and answers",
            () -> shards.stream().filter(ShardIds::complete).count()),
        Metric.gauge(
            "building",
            "shards",
            "Shards whose filter is not complete yet",
            () ->
                shards.stream().filter(ShardIds::hasFilter).count()
                    - shards.stream().filter(ShardIds::complete).count()),
        new Metric(
            "at_rest",
            Metric.Kind.GAUGE,
            "shards",
            "Shards that gave their filter up, until they are opened again or the feature "
                + "is switched, by reason",
            Metric.Merge.SUM,
            () ->
                Arrays.stream(Inactive.values())
                    .map(reason ->
                        new Metric.Sample(
                            Map.of("reason", reason.label()),
                            shards.stream().filter(shard -> shard.inactive() == reason).count()))
                    .toList()));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            // an append-only index refuses what the filter is for; a context-aware one writes
            // through several Lucene writers, which the barrier does not reach
            return INDEX_ENABLED.get(settings.getSettings())
                && !settings.getIndexMetadata().isAppendOnlyIndex()
                && !settings.isContextAwareEnabled();
          }

          @Override
          public ShardHooks open(EngineConfig config) {
            ShardIds ids =
                new ShardIds(
                    enabled, config, memory, counters, maxKnownShare::value, shards::remove);
            shards.add(ids);
            return ids;
          }
        });
  }

  @Override
  public void start(NodeServices services) {
    enabled.follow(on -> shards.forEach(ShardIds::switched));
  }

  PrimaryKeyFilterCounters counters() {
    return counters;
  }

  FilterMemory memory() {
    return memory;
  }

  Set<ShardIds> shards() {
    return shards;
  }
}
