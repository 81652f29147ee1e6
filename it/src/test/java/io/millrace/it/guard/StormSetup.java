package io.millrace.it.guard;

import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import java.util.List;
import java.util.Map;

/**
 * A node under the storms: stock as it comes, stock with every protection of its own that bears on
 * them, and Millrace as it comes.
 *
 * <p>Tuned means (each exists in 3.8.0; a node refuses to start with a setting or a value it does
 * not know):
 *
 * <table>
 * <tr><td>{@code search_backpressure.mode: enforced}</td><td>cancels the searches that allocate
 * most while the node is in duress; {@code monitor_only} by default</td></tr>
 * <tr><td>{@code wlm.workload_group.mode: enabled}</td><td>the same for workload groups. Groups of
 * one's own need a plugin that stock does not bring, so this reaches the default group only</td></tr>
 * <tr><td>{@code search.cancel_after_time_interval: 10s}</td><td>no search runs on for
 * ever</td></tr>
 * <tr><td>{@code search.max_buckets: 10000}</td><td>65,535 by default; K4 asks for
 * 60,000</td></tr>
 * <tr><td>{@code indices.breaker.total.limit: 85%}</td><td>the parent breaker looks at the real heap;
 * 95 % by default, too late for G1</td></tr>
 * <tr><td>{@code indices.breaker.request.limit: 30%}</td><td>60 % by default</td></tr>
 * <tr><td>{@code network.breaker.inflight_requests.limit: 30%}</td><td>100 % by default</td></tr>
 * <tr><td>{@code shard_indexing_pressure.enabled, .enforced: true}</td><td>writes are refused by
 * shard, before the node's limit; off by default</td></tr>
 * <tr><td>{@code indexing_pressure.memory.limit: 10%}</td><td>the default, said out loud</td></tr>
 * <tr><td>{@code http.read_timeout: 30s}</td><td>closes connections that send nothing; none by
 * default. It also cuts who waits so long for an answer: 10 s cut bulks on a busy machine</td></tr>
 * <tr><td>{@code http.max_content_length: 64mb}</td><td>100 MB by default; lower, and K1's uploads of
 * 60 MB would be refused for their size</td></tr>
 * <tr><td>{@code http.pipelining.max_events: 4}</td><td>10,000 by default</td></tr>
 * </table>
 *
 * <p>All three have the same {@code jvm.options}. Admission control looks at processors and disks,
 * not at memory, and is left off.
 */
record StormSetup(String name, Tree tree, Map<String, String> settings) {
  private static final Map<String, String> TUNED =
      Map.ofEntries(
          Map.entry("search_backpressure.mode", "enforced"),
          Map.entry("wlm.workload_group.mode", "enabled"),
          Map.entry("search.cancel_after_time_interval", "10s"),
          Map.entry("search.max_buckets", "10000"),
          Map.entry("indices.breaker.total.limit", "85%"),
          Map.entry("indices.breaker.request.limit", "30%"),
          Map.entry("network.breaker.inflight_requests.limit", "30%"),
          Map.entry("shard_indexing_pressure.enabled", "true"),
          Map.entry("shard_indexing_pressure.enforced", "true"),
          Map.entry("indexing_pressure.memory.limit", "10%"),
          Map.entry("http.read_timeout", "30s"),
          Map.entry("http.max_content_length", "64mb"),
          Map.entry("http.pipelining.max_events", "4"));

  static final List<StormSetup> ALL =
      List.of(
          new StormSetup("stock", Tree.STOCK, Map.of()),
          new StormSetup("tuned", Tree.STOCK, TUNED),
          new StormSetup("millrace", Tree.MILLRACE, Map.of()));

  boolean ours() {
    return tree == Tree.MILLRACE;
  }

  Cluster start(String heap) {
    Cluster.Builder plan = Cluster.of(tree, 1).optimized().heap(heap);
    settings.forEach(plan::set);
    return plan.start();
  }
}
