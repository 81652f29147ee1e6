package io.millrace.plugin.stats;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
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
 * {@code GET /_millrace/stats[/{node}][?feature=a,b]}: every metric, per node and made one for the
 * cluster.
 *
 * <p>Errors: 400 for an unknown feature (the answer names the known ones) or parameter.
 */
public final class RestFeatureStatsAction extends BaseRestHandler {
  private final Build build = Build.current();

  @Override
  public String getName() {
    return "millrace_stats_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/_millrace/stats"),
        new Route(Method.GET, "/_millrace/stats/{node}"));
  }

  /** A node whose heap is full answers this as well, because that is when somebody asks. */
  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    Set<String> wanted =
        new TreeSet<>(Arrays.asList(request.paramAsStringArray("feature", new String[0])));
    FeatureStatsRequest stats =
        new FeatureStatsRequest(true, request.paramAsStringArray("node", new String[0]));
    stats.timeout(request.param("timeout"));
    return channel ->
        client.execute(
            FeatureStatsAction.INSTANCE,
            stats,
            new RestBuilderListener<FeatureStatsResponse>(channel) {
              @Override
              public RestResponse buildResponse(
                  FeatureStatsResponse response, XContentBuilder builder) throws Exception {
                Map<String, FeatureReport> merged = response.merged();
                for (String feature : wanted) {
                  if (!merged.isEmpty() && !merged.containsKey(feature)) {
                    throw new IllegalArgumentException(
                        "unknown feature ["
                            + feature
                            + "] in parameter [feature], known are "
                            + merged.keySet());
                  }
                }
                builder.startObject();
                RestActions.buildNodesHeader(builder, request, response);
                builder.field("cluster_name", response.getClusterName().value());
                builder.field("warnings", response.warnings(build));
                features(merged.values(), wanted, builder, request);
                builder.startObject("nodes");
                for (NodeFeatureStats node : response.getNodes()) {
                  builder.startObject(node.getNode().getId());
                  builder.field("name", node.getNode().getName()).field("version", node.version);
                  features(node.features, wanted, builder, request);
                  builder.endObject();
                }
                return new BytesRestResponse(RestStatus.OK, builder.endObject().endObject());
              }
            });
  }

  private static void features(
      Collection<FeatureReport> features,
      Set<String> wanted,
      XContentBuilder builder,
      ToXContent.Params params)
      throws IOException {
    builder.startObject("features");
    for (FeatureReport feature : features) {
      if (wanted.isEmpty() || wanted.contains(feature.id())) {
        builder.startObject(feature.id()).field("on", feature.on()).startObject("metrics");
        for (MetricReport metric : feature.metrics()) {
          metric.toXContent(builder, params);
        }
        builder.endObject().endObject();
      }
    }
    builder.endObject();
  }
}
