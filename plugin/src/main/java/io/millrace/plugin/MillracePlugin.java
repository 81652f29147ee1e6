package io.millrace.plugin;

import io.millrace.kernel.Feature;
import io.millrace.kernel.Knob;
import io.millrace.kernel.NodeServices;
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
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Puts the features into an OpenSearch node; holds no logic of its own.
 *
 * <p>The constructor declares every feature (no services exist yet), {@link #createComponents}
 * binds the switches and starts the features (Node.java:1192 at 3.8.0).
 */
public final class MillracePlugin extends Plugin implements ActionPlugin {
  private final List<Feature> features;
  private final DeclaredHooks hooks = new DeclaredHooks();

  public MillracePlugin() {
    this(Features.all());
  }

  MillracePlugin(List<Feature> features) {
    this.features = List.copyOf(features);
    this.features.forEach(feature -> feature.declare(hooks));
  }

  @Override
  public List<Setting<?>> getSettings() {
    List<Setting<?>> settings = new ArrayList<>();
    for (Feature feature : features) {
      settings.add(feature.enabled().setting());
      feature.knobs().stream().map(Knob::setting).forEach(settings::add);
    }
    return settings;
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
    NodeServices services =
        new NodeServices(
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
            repositoriesServiceSupplier,
            features);
    for (Feature feature : features) {
      feature.enabled().bind(environment.settings(), clusterService.getClusterSettings());
      feature.start(services);
    }
    return List.of(new LocalFeatures(features, Build.current()));
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> actions =
        new ArrayList<>(hooks.actions);
    actions.add(
        new ActionHandler<>(FeatureStatsAction.INSTANCE, TransportFeatureStatsAction.class));
    return actions;
  }

  @Override
  public List<ActionFilter> getActionFilters() {
    return hooks.actionFilters;
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
    List<RestHandler> handlers = new ArrayList<>(hooks.restHandlers);
    handlers.add(new RestFeaturesAction());
    handlers.add(new RestFeatureStatsAction());
    handlers.add(new RestCatFeaturesAction());
    return handlers;
  }

  @Override
  public void onIndexModule(IndexModule indexModule) {
    hooks.indexListeners.forEach(listener -> listener.accept(indexModule));
  }

  @Override
  public void close() {
    features.forEach(Feature::stop);
  }
}
