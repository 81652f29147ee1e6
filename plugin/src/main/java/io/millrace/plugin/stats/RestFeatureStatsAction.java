package io.millrace.plugin.stats;

import io.millrace.kernel.report.RestReportAction;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace/stats[/{node}][?feature=a,b]}: every metric, per node and made one for the
 * cluster.
 *
 * <p>Errors: 400 for an unknown feature (the answer names the known ones) or parameter.
 */
public final class RestFeatureStatsAction extends RestReportAction {
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

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    Set<String> wanted =
        new TreeSet<>(Arrays.asList(request.paramAsStringArray("feature", new String[0])));
    return ask(
        LocalFeatures.STATS,
        request,
        client,
        (reports, builder) -> {
          ClusterFeatures cluster = ClusterFeatures.of(reports);
          Map<String, FeatureReport> merged = cluster.merged();
          refuseUnknown(wanted, merged.keySet());
          cluster.header(builder, request);
          builder.field("warnings", cluster.warnings(build));
          features(merged.values(), wanted, builder, request);
          builder.startObject("nodes");
          for (NodeFeatures node : cluster.nodes()) {
            builder.startObject(node.node().getId());
            builder.field("name", node.node().getName()).field("version", node.version());
            features(node.features(), wanted, builder, request);
            builder.endObject();
          }
          builder.endObject();
        });
  }

  private static void refuseUnknown(Set<String> wanted, Set<String> known) {
    for (String feature : wanted) {
      if (!known.isEmpty() && !known.contains(feature)) {
        throw new IllegalArgumentException(
            "unknown feature [" + feature + "] in parameter [feature], known are " + known);
      }
    }
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
