package io.millrace.kernel;

import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.action.support.clustermanager.TransportClusterManagerNodeAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * What runs on the elected cluster manager. A manager without the plugin, as in the middle of an
 * upgrade, does not know the action: the answer is 503 then, with that node's name and the remedy.
 */
public abstract class TransportManagerAction<
        Q extends ClusterManagerNodeRequest<Q>, A extends ActionResponse>
    extends TransportClusterManagerNodeAction<Q, A> {

  protected TransportManagerAction(
      String name,
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      Writeable.Reader<Q> request,
      IndexNameExpressionResolver resolver) {
    super(name, transport, clusterService, threadPool, filters, request, resolver);
  }

  @Override
  protected final void doExecute(Task task, Q request, ActionListener<A> listener) {
    super.doExecute(
        task,
        request,
        ActionListener.delegateResponse(
            listener,
            (to, failure) ->
                to.onFailure(
                    ManagerWithoutPlugin.explained(
                        failure, clusterService.state().nodes().getClusterManagerNode()))));
  }
}
