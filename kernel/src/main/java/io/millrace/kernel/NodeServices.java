package io.millrace.kernel;

import java.util.List;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * What OpenSearch hands to a plugin at Node#Node, passed on to every feature unchanged.
 *
 * @param features every feature of this node, for those that render what the others count (metrics
 *     exporters, the dashboard)
 */
public record NodeServices(
    Client client,
    ClusterService clusterService,
    ThreadPool threadPool,
    ResourceWatcherService resourceWatcherService,
    ScriptService scriptService,
    NamedXContentRegistry xContentRegistry,
    Environment environment,
    NodeEnvironment nodeEnvironment,
    NamedWriteableRegistry namedWriteableRegistry,
    IndexNameExpressionResolver indexNameExpressionResolver,
    Supplier<RepositoriesService> repositoriesService,
    List<Feature> features) {

  /** Runs calls of the client as the node itself, with nobody's rights but the node's. */
  public void runAsNode(Runnable calls) {
    ThreadContext context = threadPool.getThreadContext();
    try (ThreadContext.StoredContext ignored = context.stashContext()) {
      context.markAsSystemContext();
      calls.run();
    }
  }
}
