package io.millrace.plugin.stats;

import io.millrace.kernel.report.Page;
import io.millrace.kernel.report.RestReportAction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace}: which features exist, where they are on, and where the plugin is missing.
 * With a slash at the end it is the page that a feature brought, where there is one.
 */
public final class RestFeaturesAction extends RestReportAction {
  private final Build build = Build.current();
  private final List<Page> pages;

  /**
   * @param pages who answers {@code /_millrace/}; empty: nobody
   */
  public RestFeaturesAction(List<Page> pages) {
    this.pages = pages;
  }

  @Override
  public String getName() {
    return "millrace_features_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(Method.GET, "/_millrace"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    Optional<Page> page = pages.stream().filter(each -> each.wants(request)).findFirst();
    if (page.isPresent()) {
      return channel -> channel.sendResponse(page.get().answer(request));
    }
    return ask(
        LocalFeatures.FEATURES,
        request,
        client,
        (reports, builder) -> {
          ClusterFeatures features = ClusterFeatures.of(reports);
          features.header(builder, request);
          render(features, builder);
        });
  }

  private void render(ClusterFeatures cluster, XContentBuilder builder) throws IOException {
    builder.startObject("version").field("number", build.version());
    builder.field("opensearch", build.openSearch()).endObject();
    builder.field("warnings", cluster.warnings(build));
    builder.startObject("features");
    for (Map.Entry<String, FeatureReport> feature : cluster.merged().entrySet()) {
      builder.startObject(feature.getKey()).field("summary", feature.getValue().summary());
      builder.startObject("on");
      for (NodeFeatures node : cluster.nodes()) {
        for (FeatureReport report : node.features()) {
          if (report.id().equals(feature.getKey())) {
            builder.field(node.node().getId(), report.on());
          }
        }
      }
      builder.endObject().endObject();
    }
    builder.endObject();
    builder.startObject("nodes");
    for (NodeFeatures node : cluster.nodes()) {
      builder.startObject(node.node().getId()).field("name", node.node().getName());
      builder.field("installed", true).field("version", node.version()).endObject();
    }
    for (DiscoveryNode node : cluster.absent()) {
      builder.startObject(node.getId()).field("name", node.getName());
      builder.field("installed", false).field("reason", ClusterFeatures.absence(node, build));
      builder.endObject();
    }
    builder.endObject();
  }
}
