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
  /**
   * @param placed indices whose documents may stand where a bulk placed them
   * @param routed those of them whose bulks are routed now
   */
  private record Known(Map<String, ShardKeys> placed, Map<String, ShardKeys> routed) {}

  private volatile Known known = new Known(Map.of(), Map.of());

  /** Whether no index opted in: then there is nothing to do for any bulk. */
  boolean isEmpty() {
    return known.routed.isEmpty();
  }

  /** The keys of an index that opted in, or null. */
  @Nullable ShardKeys get(String index) {
    return known.routed.get(index);
  }

  /** Whether there is an index of which {@link #placed} has keys. */
  boolean anyPlaced() {
    return !known.placed.isEmpty();
  }

  /** The keys of an index that opted in, or did and opted out again; else null. */
  @Nullable ShardKeys placed(String index) {
    return known.placed.get(index);
  }

  @Override
  public void applyClusterState(ClusterChangedEvent event) {
    if (event.metadataChanged()) {
      update(event.previousState().metadata(), event.state().metadata());
    }
  }

  void update(Metadata before, Metadata now) {
    Known old = known;
    Map<String, ShardKeys> placed = new HashMap<>();
    Map<String, ShardKeys> routed = new HashMap<>();
    for (IndexMetadata index : now) {
      String name = index.getIndex().getName();
      ShardKeys keys = old.placed.get(name);
      boolean changed = before.index(name) != index;
      if (changed) {
        if (!mayBePlaced(index)) {
          keys = null;
        } else if (keys == null || !keys.isFor(index)) {
          keys = new ShardKeys(index);
        }
      }
      if (keys != null) {
        placed.put(name, keys);
        if (changed ? applies(index) : old.routed.containsKey(name)) {
          routed.put(name, keys);
        }
      }
    }
    known = new Known(Map.copyOf(placed), Map.copyOf(routed));
  }

  /**
   * Whether documents of the index may stand on another shard than their id says: its settings name
   * the opt-in, be it {@code false} by now.
   */
  private static boolean mayBePlaced(IndexMetadata index) {
    return BulkRoutingFeature.ENABLED.exists(index.getSettings())
        && index.getNumberOfShards() > 1
        && !index.isRoutingPartitionedIndex();
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
