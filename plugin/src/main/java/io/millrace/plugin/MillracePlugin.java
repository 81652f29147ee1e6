package io.millrace.plugin;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.plugin.stats.Build;
import io.millrace.plugin.stats.FeatureStatsAction;
import io.millrace.plugin.stats.LocalFeatures;
import io.millrace.plugin.stats.RestCatFeaturesAction;
import io.millrace.plugin.stats.RestFeatureStatsAction;
import io.millrace.plugin.stats.RestFeaturesAction;
import io.millrace.plugin.stats.TransportFeatureStatsAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** The product's plugin: every feature, and the API that lists them with their figures. */
public final class MillracePlugin extends FeaturePlugin {
  public MillracePlugin() {
    this(Features.all());
  }

  MillracePlugin(List<Feature> features) {
    super(features);
  }

  @Override
  public Collection<Object> createComponents(
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
      Supplier<RepositoriesService> repositoriesServiceSupplier) {
    List<Object> components =
        new ArrayList<>(
            super.createComponents(
                client,
                clusterService,
                threadPool,
                resourceWatcherService,
                scriptService,
                xContentRegistry,
                environment,
                nodeEnvironment,
                namedWriteableRegistry,
                indexNameExpressionResolver,
                repositoriesServiceSupplier));
    components.add(new LocalFeatures(features, Build.current()));
    return components;
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> actions =
        new ArrayList<>(super.getActions());
    actions.add(
        new ActionHandler<>(FeatureStatsAction.INSTANCE, TransportFeatureStatsAction.class));
    return actions;
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<DiscoveryNodes> nodesInCluster) {
    List<RestHandler> handlers =
        new ArrayList<>(
            super.getRestHandlers(
                settings,
                restController,
                clusterSettings,
                indexScopedSettings,
                settingsFilter,
                indexNameExpressionResolver,
                nodesInCluster));
    handlers.add(new RestFeaturesAction());
    handlers.add(new RestFeatureStatsAction());
    handlers.add(new RestCatFeaturesAction());
    return handlers;
  }
}
