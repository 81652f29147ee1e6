package io.millrace.cluster.managerhandover;

import java.util.List;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_millrace/manager/_handover?to=NODE[&timeout=10s]}. */
final class RestHandoverAction extends BaseRestHandler {
  @Override
  public String getName() {
    return "millrace_manager_handover_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.POST, "/_millrace/manager/_handover"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    HandoverRequest handover =
        new HandoverRequest(
            request.param("to", ""), request.paramAsTime("timeout", HandoverRequest.STEP), 1);
    handover.clusterManagerNodeTimeout(
        request.paramAsTime("cluster_manager_timeout", handover.clusterManagerNodeTimeout()));
    return channel ->
        client.execute(HandoverAction.INSTANCE, handover, new RestToXContentListener<>(channel));
  }
}
