package io.millrace.cluster.fastrestart;

import io.millrace.kernel.slot.RewritingFilter;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.Preference;

/**
 * Searches ask a node that is announced to restart only for shards that no other node has. A search
 * that has its hits from a node and finds it gone when it fetches them fails, and so does a client
 * that does not ask again. The node also has time to warm up after it is back, until the waiting
 * ends.
 */
final class SearchesElsewhere extends RewritingFilter {
  private final AwaitedNodes awaited;
  private final Supplier<@Nullable ClusterState> state;

  /**
   * @param state of this node; null before it has started
   */
  SearchesElsewhere(AwaitedNodes awaited, Supplier<@Nullable ClusterState> state) {
    this.awaited = awaited;
    this.state = state;
  }

  @Override
  protected void rewrite(String action, ActionRequest request) {
    if (action.equals(SearchAction.NAME)
        && request instanceof SearchRequest search
        && search.preference() == null
        && search.pointInTimeBuilder() == null) {
      turnAway(search);
    }
  }

  /** Zones with weights allow no preference of nodes, and have their own ways. */
  private void turnAway(SearchRequest search) {
    Set<String> leaving = awaited.now().keySet();
    ClusterState now = leaving.isEmpty() ? null : state.get();
    if (now == null
        || now.metadata().weightedRoutingMetadata() != null
        || leaving.stream().noneMatch(now.nodes()::nodeExists)) {
      return;
    }
    String others =
        now.nodes().getDataNodes().values().stream()
            .map(DiscoveryNode::getId)
            .filter(id -> !leaving.contains(id))
            .collect(Collectors.joining(","));
    if (!others.isEmpty()) {
      search.preference(Preference.PREFER_NODES.type() + ":" + others);
    }
  }
}
