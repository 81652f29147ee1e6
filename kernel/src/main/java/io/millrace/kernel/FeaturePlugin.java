package io.millrace.kernel;

import io.millrace.kernel.engine.EngineSlot;
import io.millrace.kernel.settings.Knob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.Codec;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.network.NetworkService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.common.util.BigArrays;
import org.opensearch.common.util.PageCacheRecycler;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.IndexCreationValidator;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.index.codec.AdditionalCodecs;
import org.opensearch.index.engine.EngineFactory;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.AnalysisPlugin;
import org.opensearch.plugins.EnginePlugin;
import org.opensearch.plugins.MapperPlugin;
import org.opensearch.plugins.NetworkPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Puts features into an OpenSearch node: the adapter between its plugin interfaces and {@link
 * Hooks}; holds no logic of its own.
 *
 * <p>The constructor declares every feature (no services exist yet), {@link #createComponents}
 * binds every setting and then starts the features (Node.java:1192 at 3.8.0). The product's plugin
 * and the one-node tests of every domain are subclasses that name their features, so that tests run
 * the same adapter.
 */
public abstract class FeaturePlugin extends Plugin
    implements ActionPlugin, AnalysisPlugin, EnginePlugin, MapperPlugin, NetworkPlugin {
  /** The features of this node, in order. */
  protected final List<Feature> features;

  private final DeclaredHooks hooks = new DeclaredHooks();

  /** Known before a server is built: NetworkModule asks for all of them first. */
  private boolean tlsProvided;

  /** Declares the features in this order. */
  protected FeaturePlugin(List<Feature> features) {
    this.features = List.copyOf(features);
    this.features.forEach(feature -> feature.declare(hooks));
    declare(hooks);
  }

  /** Hooks that belong to the plugin itself and to no feature; called once, after the features'. */
  protected void declare(Hooks hooks) {}

  @Override
  public List<Setting<?>> getSettings() {
    List<Setting<?>> settings = new ArrayList<>();
    features.forEach(feature -> feature.settings().map(Knob::setting).forEach(settings::add));
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
    features.stream()
        .flatMap(Feature::settings)
        .forEach(knob -> knob.bind(environment.settings(), clusterService.getClusterSettings()));
    features.forEach(feature -> feature.start(services));
    return List.copyOf(hooks.components);
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    return hooks.actions;
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
    return hooks.restHandlers;
  }

  @Override
  public void onIndexModule(IndexModule indexModule) {
    hooks.indexListeners.forEach(listener -> listener.accept(indexModule));
  }

  @Override
  public Optional<AdditionalCodecs> getAdditionalCodecs(IndexSettings indexSettings) {
    return Optional.of((mapperService, settings, defaultCodec) -> {
      Map<String, Codec> codecs = new HashMap<>();
      hooks.additionalCodecs.forEach(
          more -> codecs.putAll(more.getCodecs(mapperService, settings, defaultCodec)));
      return codecs;
    });
  }

  @Override
  public Collection<IndexCreationValidator> getIndexCreationValidators() {
    return hooks.indexCreationValidators;
  }

  @Override
  public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
    return hooks.analyzers;
  }

  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return hooks.tokenizers;
  }

  @Override
  public Map<String, Mapper.TypeParser> getMappers() {
    return hooks.mappers;
  }

  @Override
  public Collection<IndexSettingProvider> getAdditionalIndexSettingProviders() {
    return hooks.indexSettingProviders;
  }

  @Override
  public List<TransportInterceptor> getTransportInterceptors(
      NamedWriteableRegistry namedWriteableRegistry, ThreadContext threadContext) {
    return hooks.transportInterceptors;
  }

  @Override
  public Map<String, Supplier<HttpServerTransport>> getHttpTransports(
      Settings settings,
      ThreadPool threadPool,
      BigArrays bigArrays,
      PageCacheRecycler pageCacheRecycler,
      CircuitBreakerService circuitBreakerService,
      NamedXContentRegistry xContentRegistry,
      NetworkService networkService,
      HttpServerTransport.Dispatcher dispatcher,
      ClusterSettings clusterSettings,
      Tracer tracer) {
    return httpTransports(
        "",
        () ->
            new HttpTransportFactory.Services(
                settings,
                threadPool,
                bigArrays,
                xContentRegistry,
                networkService,
                dispatcher,
                clusterSettings,
                tracer,
                null,
                tlsProvided));
  }

  @Override
  public Map<String, Supplier<HttpServerTransport>> getSecureHttpTransports(
      Settings settings,
      ThreadPool threadPool,
      BigArrays bigArrays,
      PageCacheRecycler pageCacheRecycler,
      CircuitBreakerService circuitBreakerService,
      NamedXContentRegistry xContentRegistry,
      NetworkService networkService,
      HttpServerTransport.Dispatcher dispatcher,
      ClusterSettings clusterSettings,
      SecureHttpTransportSettingsProvider tls,
      Tracer tracer) {
    tlsProvided = true;
    return httpTransports(
        "-secure",
        () ->
            new HttpTransportFactory.Services(
                settings,
                threadPool,
                bigArrays,
                xContentRegistry,
                networkService,
                dispatcher,
                clusterSettings,
                tracer,
                tls,
                true));
  }

  private Map<String, Supplier<HttpServerTransport>> httpTransports(
      String suffix, Supplier<HttpTransportFactory.Services> services) {
    Map<String, Supplier<HttpServerTransport>> transports = new HashMap<>();
    hooks.httpTransports.forEach(
        (name, factory) -> transports.put(name + suffix, () -> factory.create(services.get())));
    return transports;
  }

  @Override
  public Optional<EngineFactory> getEngineFactory(IndexSettings settings) {
    return EngineSlot.factoryFor(hooks.engineExtensions, settings);
  }

  @Override
  public void close() {
    features.forEach(Feature::stop);
  }
}
