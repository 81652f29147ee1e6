package io.millrace.search.preference;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.SplitShardsMetadata;
import org.opensearch.cluster.routing.OperationRouting;

/**
 * Values of {@code routing} that lead a search to chosen shards.
 *
 * <p>Shards are chosen by a hash, so values are tried until each chosen shard of each index is hit
 * and no other one: a handful of attempts for one index. Indices that spread documents in the same
 * way need the same values; with k ways of n shards each, one shard takes about n^k attempts, which
 * {@link #ATTEMPTS} bounds.
 */
final class RoutingValues {
  /** Some tens of milliseconds; enough for one shard of ten in five different ways. */
  static final int ATTEMPTS = 200_000;

  /** What decides to which shard a value of {@code routing} leads. */
  private record Way(
      int shards,
      int routingShards,
      int virtualShards,
      @Nullable String own,
      SplitShardsMetadata split) {
    static Way of(IndexMetadata index) {
      int virtual = index.getNumberOfVirtualShards();
      return new Way(
          index.getNumberOfShards(),
          index.getRoutingNumShards(),
          virtual,
          virtual == -1 ? null : index.getIndex().getName(),
          index.getSplitShardsMetadata());
    }
  }

  private record Wanted(IndexMetadata index, BitSet shards) {}

  private final Map<Way, Wanted> wanted = new LinkedHashMap<>();
  private boolean contradiction;

  /** The chosen shards of an index, at least one. */
  void want(IndexMetadata index, BitSet shards) {
    Wanted other = wanted.putIfAbsent(Way.of(index), new Wanted(index, shards));
    contradiction |= other != null && !other.shards.equals(shards);
  }

  /** The values, or null where none were found that hit the chosen shards and no others. */
  @Nullable List<String> find() {
    if (contradiction) {
      return null;
    }
    List<Wanted> ways = List.copyOf(wanted.values());
    List<BitSet> missing = ways.stream().map(way -> (BitSet) way.shards.clone()).toList();
    int left = missing.stream().mapToInt(BitSet::cardinality).sum();
    int[] hit = new int[ways.size()];
    List<String> values = new ArrayList<>();
    for (int attempt = 0; attempt < ATTEMPTS && left > 0; attempt++) {
      String value = Integer.toString(attempt, Character.MAX_RADIX);
      if (!hits(ways, value, hit)) {
        continue;
      }
      int before = left;
      for (int way = 0; way < hit.length; way++) {
        if (missing.get(way).get(hit[way])) {
          missing.get(way).clear(hit[way]);
          left--;
        }
      }
      if (left < before) {
        values.add(value);
      }
    }
    return left == 0 ? values : null;
  }

  private static boolean hits(List<Wanted> ways, String value, int[] hit) {
    for (int way = 0; way < hit.length; way++) {
      Wanted each = ways.get(way);
      hit[way] = OperationRouting.generateShardId(each.index, null, value);
      if (!each.shards.get(hit[way])) {
        return false;
      }
    }
    return true;
  }
}
