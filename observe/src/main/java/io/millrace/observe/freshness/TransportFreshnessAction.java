package io.millrace.observe.freshness;

import io.millrace.observe.nodes.TransportNodeReportAction;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Serves {@link FreshnessAction}. */
public final class TransportFreshnessAction extends TransportNodeReportAction {
  @Inject
  public TransportFreshnessAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      Freshness freshness) {
    super(FreshnessAction.NAME, threadPool, clusterService, transportService, filters, freshness);
  }
}
