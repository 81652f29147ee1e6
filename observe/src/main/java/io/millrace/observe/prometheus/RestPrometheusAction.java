package io.millrace.observe.prometheus;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.report.RestReportAction;
import io.millrace.observe.gc.GcObservation;
import io.millrace.observe.prometheus.Exposition.Format;
import io.millrace.observe.prometheus.Exposition.Type;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.cluster.node.stats.NodeStats;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest.Metric;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsResponse;
import org.opensearch.action.admin.indices.stats.CommonStatsFlags;
import org.opensearch.action.admin.indices.stats.CommonStatsFlags.Flag;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_prometheus/metrics}: this node only. Scrape every node; a scrape asks no other one.
 *
 * <p>404 while the feature is off, so that the scrape shows as failed and not as empty.
 */
final class RestPrometheusAction extends RestReportAction {
  private static final List<NodeFigure> FIGURES = NodeFigure.all();

  private final PrometheusFeature feature;
  private final @Nullable GcObservation gc;
  private final IntSupplier shards;

  RestPrometheusAction(PrometheusFeature feature, @Nullable GcObservation gc, IntSupplier shards) {
    this.feature = feature;
    this.gc = gc;
    this.shards = shards;
  }

  @Override
  public String getName() {
    return "millrace_prometheus_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(Method.GET, "/_prometheus/metrics"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    NodeServices services = feature.services();
    if (services == null || !feature.enabled().on()) {
      return channel ->
          channel.sendResponse(
              new BytesRestResponse(
                  RestStatus.NOT_FOUND,
                  "metrics are off: set [" + feature.enabled().setting().getKey() + "] to true"));
    }
    List<String> accept =
        request.getHeaders().entrySet().stream()
            .filter(header -> header.getKey().equalsIgnoreCase("accept"))
            .flatMap(header -> header.getValue().stream())
            .toList();
    Format format = Format.accepted(accept);
    return channel ->
        client
            .admin()
            .cluster()
            .nodesStats(
                localStats(client.getLocalNodeId()),
                new RestResponseListener<NodesStatsResponse>(channel) {
                  @Override
                  public RestResponse buildResponse(NodesStatsResponse stats) throws IOException {
                    return new BytesRestResponse(
                        RestStatus.OK, format.contentType(), page(format, services, stats));
                  }
                });
  }

  private static NodesStatsRequest localStats(String node) {
    NodesStatsRequest request = new NodesStatsRequest(node).clear();
    request.indices(
        new CommonStatsFlags(
            Flag.Docs,
            Flag.Store,
            Flag.Indexing,
            Flag.Search,
            Flag.Merge,
            Flag.Refresh,
            Flag.Flush,
            Flag.Segments,
            Flag.Translog,
            Flag.QueryCache,
            Flag.RequestCache,
            Flag.FieldData));
    for (Metric metric :
        List.of(
            Metric.OS,
            Metric.PROCESS,
            Metric.JVM,
            Metric.THREAD_POOL,
            Metric.FS,
            Metric.TRANSPORT,
            Metric.HTTP,
            Metric.BREAKER,
            Metric.INDEXING_PRESSURE,
            Metric.SEARCH_BACKPRESSURE)) {
      request.addMetric(metric.metricName());
    }
    return request;
  }

  private String page(Format format, NodeServices services, NodesStatsResponse stats)
      throws IOException {
    long start = System.nanoTime();
    Exposition page = new Exposition(format);
    for (NodeStats node : stats.getNodes()) {
      Map<?, ?> map = map(node);
      for (NodeFigure figure : FIGURES) {
        figure.write(map, page);
      }
      if (node.getIndices() != null) {
        ShardFigures.write(
            node.getIndices(),
            services.clusterService().state().metadata(),
            shards.getAsInt(),
            page);
      }
    }
    ClusterFigures.write(services.clusterService().state(), page);
    List<Feature> features = services.features();
    FeatureFigures.write(features, page);
    if (gc != null) {
      FeatureFigures.write(gc, page);
    }
    page.add(
        "millrace_scrape_failures",
        Type.GAUGE,
        "",
        "Parts of this page that could not be read",
        Map.of(),
        stats.failures().size());
    feature.scraped(System.nanoTime() - start, page.samples());
    return page.text();
  }

  private static Map<?, ?> map(NodeStats node) throws IOException {
    try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
      builder.startObject();
      node.toXContent(builder, ToXContent.EMPTY_PARAMS);
      builder.endObject();
      return XContentHelper.convertToMap(
          XContentType.JSON.xContent(), BytesReference.bytes(builder).utf8ToString(), false);
    }
  }
}
