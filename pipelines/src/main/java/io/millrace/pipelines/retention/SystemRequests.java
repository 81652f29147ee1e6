package io.millrace.pipelines.retention;

import io.millrace.kernel.NodeServices;
import org.opensearch.action.admin.indices.stats.IndicesStatsRequest;
import org.opensearch.action.admin.indices.stats.IndicesStatsResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;

/** Requests that retention makes for itself, with nobody's rights but the node's. */
final class SystemRequests {
  private SystemRequests() {}

  /**
   * Searches with the node's rights and in no system context: there, a search that is traced loses
   * its span, and with it its answer ({@code TraceableSearchRequestOperationsListener} of
   * OpenSearch 3.8.0).
   */
  static void search(
      NodeServices node, SearchRequest request, ActionListener<SearchResponse> listener) {
    try (ThreadContext.StoredContext ignored =
        node.threadPool().getThreadContext().stashContext()) {
      node.client().search(request, listener);
    }
  }

  /** Asks for the bytes and documents of every index. */
  static void sizes(NodeServices node, ActionListener<IndicesStatsResponse> listener) {
    IndicesStatsRequest request =
        new IndicesStatsRequest()
            .clear()
            .store(true)
            .docs(true)
            .indicesOptions(IndicesOptions.lenientExpandHidden());
    node.runAsNode(() -> node.client().admin().indices().stats(request, listener));
  }
}
