package io.millrace.kernel;

import io.millrace.kernel.engine.EngineExtension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.IndexCreationValidator;
import org.opensearch.index.IndexModule;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.index.codec.AdditionalCodecs;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.rest.RestHandler;
import org.opensearch.transport.TransportInterceptor;

/** What the features asked for, collected once while the plugin is constructed. */
final class DeclaredHooks implements Hooks {
  final List<ActionFilter> actionFilters = new ArrayList<>();
  final List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> actions =
      new ArrayList<>();
  final List<Object> components = new ArrayList<>();
  final List<RestHandler> restHandlers = new ArrayList<>();
  final List<Consumer<IndexModule>> indexListeners = new ArrayList<>();
  final List<EngineExtension> engineExtensions = new ArrayList<>();
  final List<AdditionalCodecs> additionalCodecs = new ArrayList<>();
  final List<IndexCreationValidator> indexCreationValidators = new ArrayList<>();
  final Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers =
      new LinkedHashMap<>();
  final Map<String, AnalysisProvider<TokenizerFactory>> tokenizers = new LinkedHashMap<>();
  final Map<String, Mapper.TypeParser> mappers = new LinkedHashMap<>();
  final List<IndexSettingProvider> indexSettingProviders = new ArrayList<>();
  final List<TransportInterceptor> transportInterceptors = new ArrayList<>();
  final Map<String, HttpTransportFactory> httpTransports = new LinkedHashMap<>();

  @Override
  public void actionFilter(ActionFilter filter) {
    actionFilters.add(filter);
  }

  @Override
  public void action(ActionHandler<? extends ActionRequest, ? extends ActionResponse> handler) {
    actions.add(handler);
  }

  @Override
  public void component(Object component) {
    components.add(component);
  }

  @Override
  public void rest(RestHandler handler) {
    restHandlers.add(handler);
  }

  @Override
  public void index(Consumer<IndexModule> listener) {
    indexListeners.add(listener);
  }

  @Override
  public void codecs(AdditionalCodecs codecs) {
    additionalCodecs.add(codecs);
  }

  @Override
  public void indexCreation(IndexCreationValidator validator) {
    indexCreationValidators.add(validator);
  }

  @Override
  public void analyzer(
      String name, AnalysisProvider<AnalyzerProvider<? extends Analyzer>> provider) {
    analyzers.put(name, provider);
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
    indexSettingProviders.add(provider);
  }

  @Override
  public void transport(TransportInterceptor interceptor) {
    transportInterceptors.add(interceptor);
  }

  @Override
  public void httpTransport(String name, HttpTransportFactory factory) {
    if (httpTransports.putIfAbsent(name, factory) != null) {
      throw new IllegalArgumentException("two features bring the http.type [" + name + "]");
    }
  }

  @Override
  public void engine(EngineExtension extension) {
    engineExtensions.add(extension);
  }
}
