package io.millrace.observe.gc;

import io.millrace.observe.nodes.TransportNodeReportAction;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Serves {@link GcAction}. */
public final class TransportGcAction extends TransportNodeReportAction {
  @Inject
  public TransportGcAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      GcObservation gc) {
    super(GcAction.NAME, threadPool, clusterService, transportService, filters, gc);
  }
}
