package io.millrace.plugin.stats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.admin.cluster.node.info.NodeInfo;
import org.opensearch.action.admin.cluster.node.info.NodesInfoRequest;
import org.opensearch.action.admin.cluster.node.info.NodesInfoResponse;
import org.opensearch.action.admin.cluster.node.info.PluginsAndModules;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Asks the nodes that have the plugin, and names those that have not.
 *
 * <p>A stock node knows no handler for this action and would answer with an exception. So the
 * nodes' plugin lists are read first (nodes info, metric {@code plugins}), which every OpenSearch
 * node serves, and the action goes only to those that list {@code millrace}.
 */
public final class TransportFeatureStatsAction
    extends TransportNodesAction<
        FeatureStatsRequest,
        FeatureStatsResponse,
        TransportFeatureStatsAction.NodeRequest,
        NodeFeatureStats> {
  private static final String PLUGIN = "millrace";

  private final NodeClient client;
  private final LocalFeatures local;

  @Inject
  public TransportFeatureStatsAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters actionFilters,
      NodeClient client,
      LocalFeatures local) {
    super(
        FeatureStatsAction.NAME,
        threadPool,
        clusterService,
        transportService,
        actionFilters,
        FeatureStatsRequest::new,
        NodeRequest::new,
        ThreadPool.Names.MANAGEMENT,
        NodeFeatureStats.class);
    this.client = client;
    this.local = local;
  }

  @Override
  protected void doExecute(
      Task task, FeatureStatsRequest request, ActionListener<FeatureStatsResponse> listener) {
    NodesInfoRequest plugins = new NodesInfoRequest(request.nodesIds());
    plugins.clear().addMetric(NodesInfoRequest.Metric.PLUGINS.metricName());
    plugins.timeout(request.timeout());
    plugins.setParentTask(clusterService.localNode().getId(), task.getId());
    client
        .admin()
        .cluster()
        .nodesInfo(
            plugins,
            ActionListener.wrap(info -> ask(task, request, info, listener), listener::onFailure));
  }

  private void ask(
      Task task,
      FeatureStatsRequest request,
      NodesInfoResponse info,
      ActionListener<FeatureStatsResponse> listener) {
    List<DiscoveryNode> present = new ArrayList<>();
    List<AbsentNode> absent = new ArrayList<>();
    for (NodeInfo node : info.getNodes()) {
      if (hasPlugin(node)) {
        present.add(node.getNode());
      } else {
        absent.add(new AbsentNode(node.getNode().getId(), node.getNode().getName()));
      }
    }
    request.setConcreteNodes(present.toArray(DiscoveryNode[]::new));
    super.doExecute(
        task,
        request,
        ActionListener.map(
            listener,
            answers -> {
              List<FailedNodeException> failures = new ArrayList<>(info.failures());
              failures.addAll(answers.failures());
              return new FeatureStatsResponse(
                  answers.getClusterName(), answers.getNodes(), failures, absent);
            }));
  }

  /** The local node has it by definition, even when a test put it there without a descriptor. */
  private boolean hasPlugin(NodeInfo node) {
    if (node.getNode().getId().equals(clusterService.localNode().getId())) {
      return true;
    }
    PluginsAndModules plugins = node.getInfo(PluginsAndModules.class);
    return plugins != null
        && plugins.getPluginInfos().stream()
            .anyMatch(plugin ->
                plugin.getName().equals(PLUGIN)
                    || plugin.getClassname().equals("io.millrace.plugin.MillracePlugin"));
  }

  @Override
  protected FeatureStatsResponse newResponse(
      FeatureStatsRequest request,
      List<NodeFeatureStats> answers,
      List<FailedNodeException> failures) {
    return new FeatureStatsResponse(clusterService.getClusterName(), answers, failures, List.of());
  }

  @Override
  protected NodeRequest newNodeRequest(FeatureStatsRequest request) {
    return new NodeRequest(NodeFeatureStats.FORMAT, request.withMetrics);
  }

  @Override
  protected NodeFeatureStats newNodeResponse(StreamInput in) throws IOException {
    return new NodeFeatureStats(in);
  }

  @Override
  protected NodeFeatureStats nodeOperation(NodeRequest request) {
    return new NodeFeatureStats(
        transportService.getLocalNode(),
        Math.min(request.format, NodeFeatureStats.FORMAT),
        local.build().version(),
        local.report(request.withMetrics));
  }

  /** What one node is asked: in which format to answer, and whether for figures. */
  static final class NodeRequest extends TransportRequest {
    final int format;
    final boolean withMetrics;

    NodeRequest(int format, boolean withMetrics) {
      this.format = format;
      this.withMetrics = withMetrics;
    }

    NodeRequest(StreamInput in) throws IOException {
      super(in);
      format = in.readVInt();
      withMetrics = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeVInt(format);
      out.writeBoolean(withMetrics);
    }
  }
}
