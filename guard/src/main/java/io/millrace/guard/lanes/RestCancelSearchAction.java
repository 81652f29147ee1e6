package io.millrace.guard.lanes;

import java.util.List;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST /_millrace/searches/{id}/_cancel}: stock's cancellation of a task, for searches only,
 * with an answer that says whether there was one.
 */
final class RestCancelSearchAction extends BaseRestHandler {
  @Override
  public String getName() {
    return "millrace_cancel_search_action";
  }

  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }

  @Override
  public List<Route> routes() {
    // the id stands where the report takes the name of a node, and a path has one name for a place
    return List.of(new Route(RestRequest.Method.POST, "/_millrace/searches/{node}/_cancel"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String id = request.param("node");
    TaskId task = new TaskId(id); // says what is wrong with it
    if (!task.isSet()) {
      throw new IllegalArgumentException(
          "[id] is [" + id + "]; GET /_millrace/searches lists those that run");
    }
    CancelTasksRequest cancel = new CancelTasksRequest();
    cancel.setTaskId(task);
    cancel.setActions("indices:data/read/*");
    cancel.setReason("cancelled by POST /_millrace/searches");
    return channel ->
        client
            .admin()
            .cluster()
            .cancelTasks(
                cancel,
                new RestBuilderListener<CancelTasksResponse>(channel) {
                  @Override
                  public RestResponse buildResponse(
                      CancelTasksResponse response, XContentBuilder builder) throws Exception {
                    boolean cancelled = !response.getTasks().isEmpty();
                    builder.startObject().field("id", id).field("cancelled", cancelled);
                    if (!cancelled) {
                      builder.field(
                          "reason",
                          "no search ["
                              + id
                              + "] runs; GET /_millrace/searches lists those that"
                              + " do");
                    }
                    builder.endObject();
                    return new BytesRestResponse(
                        cancelled ? RestStatus.OK : RestStatus.NOT_FOUND, builder);
                  }
                });
  }
}
