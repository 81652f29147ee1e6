package io.millrace.write.bulkrouting;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/**
 * Sends all documents that one bulk holds for an index to one shard of it.
 *
 * <p>Why: stock spreads a bulk over all shards by document id. With 100 shards each bulk becomes
 * 100 small requests, and its answer waits for the slowest node (a collection, a slow disk): the
 * client's queue grows until bulks are rejected. One random routing per bulk makes it one request
 * to one shard; over many bulks all shards get the same share.
 *
 * <p>Sources: promise bulk-routing (the setting's name and its limits are kept verbatim); the
 * routing is set in {@link RoutedIndexRequest#process}, see there for the hook.
 *
 * <p>Stock 3.8.0 has a relative for append-only indices, {@code
 * index.bulk.adaptive_shard_selection.enabled} (TransportBulkAction.BulkOperation#doRun): it
 * chooses the shard after the routing and stores none. An index with it on is left to it.
 */
public final class BulkRoutingFeature implements Feature {
  public static final String ID = "write.bulk-routing";

  /** The index setting of promise bulk-routing. */
  public static final Setting<Boolean> ENABLED =
      Checked.flag("index.bulk_routing.enabled", false, Property.IndexScope, Property.Dynamic);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final RoutedIndices indices = new RoutedIndices();
  private final BulkRoutingCounters counters = new BulkRoutingCounters();
  private final BulkRoutingFilter filter = new BulkRoutingFilter(enabled, indices, counters);
  private final EveryShardFilter everyShard = new EveryShardFilter(enabled, indices, counters);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "All documents of a bulk for one index go to one shard: one shard request "
        + "instead of one for each shard";
  }

  @Override
  public List<String> sources() {
    return List.of("bulk-routing", "no-rejected-bulks");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            ENABLED,
            "`true` sends all documents of a bulk for this index to one shard; the next "
                + "bulk goes to the next shard. Meant for indices of ten or more shards whose "
                + "documents come without ids and routings of their own. A request that names a "
                + "document by its id alone asks every shard; with its routing, which every hit "
                + "carries as `_routing`, it asks one."));
  }

  @Override
  public List<Metric> metrics() {
    return counters.metrics();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.actionFilter(filter);
    hooks.actionFilter(everyShard);
    hooks.leftOutOfProfiles(
        LeftOut.ofWritten(
            ENABLED.getKey(),
            "it pays from ten shards on, and a profile makes three at most; each request for a document"
                + " by its id alone would ask every shard"));
  }

  @Override
  public void start(NodeServices services) {
    filter.start(services);
    everyShard.start(services);
    services.clusterService().addStateApplier(indices);
  }
}
