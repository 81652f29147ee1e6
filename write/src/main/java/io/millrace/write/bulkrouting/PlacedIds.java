package io.millrace.write.bulkrouting;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;

/**
 * Tells which ids may stand on another shard than OpenSearch would look on, and which routings lead
 * to the shards where they may be.
 *
 * <p>Bulk routing only places documents whose ids OpenSearch generates. So an id of another form
 * stands where OpenSearch looks for it, and costs nothing here.
 */
final class PlacedIds {
  /** Characters of a generated id (UUIDs#base64UUID): 15 bytes, base64 for URLs, no padding. */
  private static final int GENERATED = 20;

  private final IndexTargets targets;

  PlacedIds(IndexTargets targets) {
    this.targets = targets;
  }

  /** The cluster state of now. */
  ClusterState state() {
    return targets.state();
  }

  /**
   * Where a document may stand.
   *
   * @param index the one index behind the name that was asked for
   * @param routings one for each shard, first that of the shard on which OpenSearch would look
   */
  record Places(String index, List<String> routings) {}

  /** Where a document may stand; null where OpenSearch finds it by itself. */
  @Nullable Places places(
      ClusterState state, @Nullable String index, @Nullable String id, @Nullable String routing) {
    if (routing != null || index == null || id == null || !generated(id)) {
      return null;
    }
    IndexTargets.Placed placed = targets.placed(index, state);
    return placed == null ? null : new Places(placed.index(), placed.keys().all(id));
  }

  /** Whether OpenSearch may have generated this id. */
  static boolean generated(String id) {
    if (id.length() != GENERATED) {
      return false;
    }
    for (int i = 0; i < GENERATED; i++) {
      char c = id.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
        return false;
      }
    }
    return true;
  }
}
