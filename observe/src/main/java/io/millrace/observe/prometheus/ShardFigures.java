package io.millrace.observe.prometheus;

import io.millrace.observe.prometheus.Exposition.Type;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.admin.indices.stats.CommonStats;
import org.opensearch.action.admin.indices.stats.IndexShardStats;
import org.opensearch.action.admin.indices.stats.ShardStats;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.indices.NodeIndicesStats;

/**
 * Figures of single shards: of those this node holds, the largest ones, so that the number of time
 * series stays bounded with any number of shards.
 */
final class ShardFigures {
  private ShardFigures() {}

  /** Writes at most so many shards, and how many there are. */
  static void write(NodeIndicesStats indices, Metadata metadata, int most, Exposition page) {
    List<ShardStats> shards =
        metadata.indices().values().stream()
            .map(IndexMetadata::getIndex)
            .map(indices::getShardStats)
            .filter(java.util.Objects::nonNull)
            .flatMap(List::stream)
            .map(IndexShardStats::getShards)
            .flatMap(java.util.Arrays::stream)
            .sorted(
                Comparator.comparingLong(ShardFigures::bytes)
                    .reversed()
                    .thenComparing(shard -> shard.getShardRouting().shardId()))
            .toList();
    gauge(page, "millrace_node_shards", "", "Shards on this node", Map.of(), shards.size());
    gauge(
        page,
        "millrace_node_shards_shown",
        "",
        "Shards that are shown one by one, the largest first",
        Map.of(),
        Math.min(most, shards.size()));
    shards.stream().limit(most).forEach(shard -> write(shard, page));
  }

  private static long bytes(ShardStats shard) {
    return shard.getStats().store == null ? 0 : shard.getStats().store.sizeInBytes();
  }

  private static void write(ShardStats shard, Exposition page) {
    Map<String, String> labels = new HashMap<>();
    labels.put("index", shard.getShardRouting().getIndexName());
    labels.put("shard", String.valueOf(shard.getShardRouting().id()));
    labels.put("copy", shard.getShardRouting().primary() ? "primary" : "replica");
    CommonStats stats = shard.getStats();
    if (stats.docs != null) {
      gauge(page, "millrace_shard_docs", "", "Documents", labels, stats.docs.getCount());
    }
    gauge(page, "millrace_shard_store", "bytes", "Size", labels, bytes(shard));
    if (stats.indexing != null) {
      counter(
          page,
          "millrace_shard_indexing",
          "",
          "Documents indexed",
          labels,
          stats.indexing.getTotal().getIndexCount());
      counter(
          page,
          "millrace_shard_indexing_time",
          "seconds",
          "Time spent indexing",
          labels,
          stats.indexing.getTotal().getIndexTime().micros() / 1e6);
    }
    if (stats.search != null) {
      counter(
          page,
          "millrace_shard_queries",
          "",
          "Query phases",
          labels,
          stats.search.getTotal().getQueryCount());
      counter(
          page,
          "millrace_shard_query_time",
          "seconds",
          "Time of query phases",
          labels,
          stats.search.getTotal().getQueryTime().micros() / 1e6);
    }
    if (stats.segments != null) {
      gauge(page, "millrace_shard_segments", "", "Segments", labels, stats.segments.getCount());
    }
    if (stats.merge != null) {
      gauge(
          page,
          "millrace_shard_merges_current",
          "bytes",
          "Size of running merges",
          labels,
          stats.merge.getCurrentSizeInBytes());
    }
  }

  private static void gauge(
      Exposition page,
      String name,
      String unit,
      String help,
      Map<String, String> labels,
      double value) {
    page.add(name, Type.GAUGE, unit, help, labels, value);
  }

  private static void counter(
      Exposition page,
      String name,
      String unit,
      String help,
      Map<String, String> labels,
      double value) {
    page.add(name, Type.COUNTER, unit, help, labels, value);
  }
}
