package io.millrace.write;

import io.millrace.kernel.Feature;
import io.millrace.kernel.Hooks;
import io.millrace.kernel.Knob;
import io.millrace.kernel.NodeServices;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.AnalysisPlugin;
import org.opensearch.plugins.MapperPlugin;
import org.opensearch.plugins.NetworkPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Puts single features into a test node, so that a domain's one-node tests need no other domain.
 * Subclasses name the features; a node instantiates them by class.
 */
public abstract class FeaturePlugin extends Plugin
    implements ActionPlugin, AnalysisPlugin, MapperPlugin, NetworkPlugin, Hooks {
  private final List<Feature> features;
  private final List<ActionFilter> filters = new ArrayList<>();
  private final List<RestHandler> handlers = new ArrayList<>();
  private final List<Consumer<IndexModule>> listeners = new ArrayList<>();
  private final Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers =
      new HashMap<>();
  private final Map<String, AnalysisProvider<TokenizerFactory>> tokenizers = new HashMap<>();
  private final Map<String, Mapper.TypeParser> mappers = new HashMap<>();
  private final List<IndexSettingProvider> providers = new ArrayList<>();
  private final List<TransportInterceptor> interceptors = new ArrayList<>();

  protected FeaturePlugin(List<Feature> features) {
    this.features = features;
    features.forEach(feature -> feature.declare(this));
  }

  public List<Feature> features() {
    return features;
  }

  @Override
  public void actionFilter(ActionFilter filter) {
    filters.add(filter);
  }

  @Override
  public void rest(RestHandler handler) {
    handlers.add(handler);
  }

  @Override
  public void index(Consumer<IndexModule> listener) {
    listeners.add(listener);
  }

  @Override
  public void analyzer(String name, AnalysisProvider<AnalyzerProvider<? extends Analyzer>> p) {
    analyzers.put(name, p);
  }

  @Override
  public void tokenizer(String name, AnalysisProvider<TokenizerFactory> provider) {
    tokenizers.put(name, provider);
  }

  @Override
  public void mapper(String type, Mapper.TypeParser parser) {
    mappers.put(type, parser);
  }

  @Override
  public void indexSettings(IndexSettingProvider provider) {
    providers.add(provider);
  }

  @Override
  public void transport(TransportInterceptor interceptor) {
    interceptors.add(interceptor);
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
      IndexNameExpressionResolver resolver,
      Supplier<RepositoriesService> repositories) {
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
            resolver,
            repositories);
    for (Feature feature : features) {
      feature.enabled().bind(environment.settings(), clusterService.getClusterSettings());
      feature.start(services);
    }
    return List.of();
  }

  @Override
  public List<ActionFilter> getActionFilters() {
    return filters;
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver resolver,
      Supplier<DiscoveryNodes> nodesInCluster) {
    return handlers;
  }

  @Override
  public void onIndexModule(IndexModule module) {
    listeners.forEach(listener -> listener.accept(module));
  }

  @Override
  public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
    return analyzers;
  }

  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return tokenizers;
  }

  @Override
  public Map<String, Mapper.TypeParser> getMappers() {
    return mappers;
  }

  @Override
  public Collection<IndexSettingProvider> getAdditionalIndexSettingProviders() {
    return providers;
  }

  @Override
  public List<TransportInterceptor> getTransportInterceptors(
      NamedWriteableRegistry registry, ThreadContext threadContext) {
    return interceptors;
  }

  @Override
  public void close() {
    features.forEach(Feature::stop);
  }
}
