package io.millrace.observe.dashboard;

import io.millrace.observe.nodes.TransportNodeReportAction;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Serves {@link ShardLoadAction}. */
public final class TransportShardLoadAction extends TransportNodeReportAction {
  @Inject
  public TransportShardLoadAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      ShardLoad load) {
    super(ShardLoadAction.NAME, threadPool, clusterService, transportService, filters, load);
  }
}
