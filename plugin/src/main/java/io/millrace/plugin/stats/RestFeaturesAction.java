package io.millrace.plugin.stats;

import io.millrace.observe.dashboard.DashboardFeature;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestActions;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace}: which features exist, where they are on, and where the plugin is missing.
 * With a slash at the end it is the dashboard, where that is on: to OpenSearch both are one path.
 */
public final class RestFeaturesAction extends BaseRestHandler {
  private final Build build = Build.current();
  private final @Nullable DashboardFeature dashboard;

  /**
   * @param dashboard who answers {@code /_millrace/}; null: nobody
   */
  public RestFeaturesAction(@Nullable DashboardFeature dashboard) {
    this.dashboard = dashboard;
  }

  @Override
  public String getName() {
    return "millrace_features_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(Method.GET, "/_millrace"));
  }

  /** A node whose heap is full answers this as well, because that is when somebody asks. */
  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    DashboardFeature page = dashboard;
    if (page != null && page.wants(request)) {
      return channel -> channel.sendResponse(page.answer(request));
    }
    FeatureStatsRequest features = new FeatureStatsRequest(false);
    features.timeout(request.param("timeout"));
    return channel ->
        client.execute(
            FeatureStatsAction.INSTANCE,
            features,
            new RestBuilderListener<FeatureStatsResponse>(channel) {
              @Override
              public RestResponse buildResponse(
                  FeatureStatsResponse response, XContentBuilder builder) throws Exception {
                builder.startObject();
                RestActions.buildNodesHeader(builder, request, response);
                render(response, builder);
                return new BytesRestResponse(RestStatus.OK, builder.endObject());
              }
            });
  }

  private void render(FeatureStatsResponse response, XContentBuilder builder) throws IOException {
    builder.field("cluster_name", response.getClusterName().value());
    builder.startObject("version").field("number", build.version());
    builder.field("opensearch", build.openSearch()).endObject();
    builder.field("warnings", response.warnings(build));
    builder.startObject("features");
    for (Map.Entry<String, FeatureReport> feature : response.merged().entrySet()) {
      builder.startObject(feature.getKey()).field("summary", feature.getValue().summary());
      builder.startObject("on");
      for (NodeFeatureStats node : response.getNodes()) {
        for (FeatureReport report : node.features) {
          if (report.id().equals(feature.getKey())) {
            builder.field(node.getNode().getId(), report.on());
          }
        }
      }
      builder.endObject().endObject();
    }
    builder.endObject();
    builder.startObject("nodes");
    for (NodeFeatureStats node : response.getNodes()) {
      builder.startObject(node.getNode().getId()).field("name", node.getNode().getName());
      builder.field("installed", true).field("version", node.version).endObject();
    }
    for (AbsentNode node : response.absent) {
      builder.startObject(node.id()).field("name", node.name());
      builder.field("installed", false).field("reason", node.message(build)).endObject();
    }
    builder.endObject();
  }
}
