package io.millrace.cluster.fastrestart;

import io.millrace.cluster.fastrestart.RestartRequest.Verb;
import java.util.List;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST /_millrace/restart/_begin?node=NODE&ttl=10m}, {@code POST
 * /_millrace/restart/_end[?node=NODE]}, {@code GET /_millrace/restart}.
 */
final class RestRestartAction extends BaseRestHandler {
  private static final String BASE = "/_millrace/restart";

  @Override
  public String getName() {
    return "millrace_restart_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(Method.GET, BASE),
        new Route(Method.POST, BASE + "/_begin"),
        new Route(Method.POST, BASE + "/_end"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    RestartRequest restart =
        new RestartRequest(
            verb(request),
            request.param("node", ""),
            request.paramAsTime("ttl", RestartRequest.TTL));
    restart.clusterManagerNodeTimeout(
        request.paramAsTime("cluster_manager_timeout", restart.clusterManagerNodeTimeout()));
    return channel ->
        client.execute(RestartAction.INSTANCE, restart, new RestToXContentListener<>(channel));
  }

  private static Verb verb(RestRequest request) {
    if (request.method() == Method.GET) {
      return Verb.STATUS;
    }
    return request.path().endsWith("/_begin") ? Verb.BEGIN : Verb.END;
  }
}
