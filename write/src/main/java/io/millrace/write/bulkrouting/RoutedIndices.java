package io.millrace.write.bulkrouting;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateApplier;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;

/**
 * The indices that opted in, by name, as of the cluster state that is being applied.
 *
 * <p>Kept by a state applier, so that a bulk asks one hash map instead of the index's settings, and
 * so that an index's keys are gone together with the index. Appliers run before the new state
 * becomes visible (ClusterApplierService at 3.8.0), hence a bulk never sees an index that is
 * missing here. Unchanged indices are carried over by identity: a state change costs one map
 * look-up per index.
 */
final class RoutedIndices implements ClusterStateApplier {
  private volatile Map<String, ShardKeys> byName = Map.of();

  /** Whether no index opted in: then there is nothing to do for any bulk. */
  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** The keys of an index that opted in, or null. */
  @Nullable ShardKeys get(String index) {
    return byName.get(index);
  }

  @Override
  public void applyClusterState(ClusterChangedEvent event) {
    if (event.metadataChanged()) {
      update(event.previousState().metadata(), event.state().metadata());
    }
  }

  void update(Metadata before, Metadata now) {
    Map<String, ShardKeys> old = byName;
    Map<String, ShardKeys> next = new HashMap<>();
    for (IndexMetadata index : now) {
      String name = index.getIndex().getName();
      ShardKeys keys = old.get(name);
      if (before.index(name) != index) {
        if (!applies(index)) {
          keys = null;
        } else if (keys == null || !keys.isFor(index)) {
          keys = new ShardKeys(index);
        }
      }
      if (keys != null) {
        next.put(name, keys);
      }
    }
    byName = Map.copyOf(next);
  }

  /**
   * Whether the index opted in and a common routing can gather its documents: not with one shard,
   * not where a routing is spread over several shards, and not where stock itself picks one shard
   * per bulk.
   */
  static boolean applies(IndexMetadata index) {
    return BulkRoutingFeature.ENABLED.get(index.getSettings())
        && index.getNumberOfShards() > 1
        && !index.isRoutingPartitionedIndex()
        && !(index.isAppendOnlyIndex() && index.bulkAdaptiveShardSelectionEnabled());
  }
}
