package io.millrace.observe.alarms;

import io.millrace.observe.nodes.TransportNodeReportAction;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Serves {@link AlarmsAction}. */
public final class TransportAlarmsAction extends TransportNodeReportAction {
  @Inject
  public TransportAlarmsAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      Alarms alarms) {
    super(AlarmsAction.NAME, threadPool, clusterService, transportService, filters, alarms);
  }
}
