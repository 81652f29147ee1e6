package io.millrace.kernel;

import io.millrace.kernel.engine.EngineExtension;
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

/**
 * Everything a feature may hook into; the plugin is the only implementor in production.
 *
 * <p>A new kind of hook adds one method here and one adapter line in the plugin; a new feature adds
 * nothing to the plugin. Hooks that OpenSearch gives only once per node or index are folded by the
 * plugin or not offered: the REST wrapper, the reader wrapper and the QueryPhaseSearcher are left
 * to other plugins.
 */
public interface Hooks {

  /** A filter around every transport action; order is the filter's own. */
  void actionFilter(ActionFilter filter);

  /** A transport action with the class that serves it; the class is built by injection. */
  void action(ActionHandler<? extends ActionRequest, ? extends ActionResponse> handler);

  /**
   * An object that injection hands to the classes of {@link #action}; known by its class, so that
   * no two features may bring the same one (Node.java:1849 at 3.8.0).
   */
  void component(Object component);

  /** A REST handler with its routes. */
  void rest(RestHandler handler);

  /**
   * Called for every index that this node opens, before its shards exist (IndexModule at 3.8.0).
   */
  void index(Consumer<IndexModule> listener);

  /**
   * Codecs that {@code index.codec} may name, beside stock's (EngineConfigFactory:158 at 3.8.0).
   */
  void codecs(AdditionalCodecs codecs);

  /**
   * Refuses a new index, once its mappings are merged, by an IllegalArgumentException; not asked
   * when an index is restored or opened (MetadataCreateIndexService:1624 at 3.8.0).
   */
  void indexCreation(IndexCreationValidator validator);

  /** An analyzer that every index knows by this name (AnalysisPlugin at 3.8.0). */
  void analyzer(String name, AnalysisProvider<AnalyzerProvider<? extends Analyzer>> provider);

  /** A tokenizer for custom analyzers (AnalysisPlugin at 3.8.0). */
  void tokenizer(String name, AnalysisProvider<TokenizerFactory> provider);

  /** A field type; the name must be none of stock's (MapperPlugin at 3.8.0). */
  void mapper(String type, Mapper.TypeParser parser);

  /**
   * Adds settings to indices while they are created (Plugin.getAdditionalIndexSettingProviders).
   */
  void indexSettings(IndexSettingProvider provider);

  /** Sees transport requests between nodes and to itself (NetworkPlugin at 3.8.0). */
  void transport(TransportInterceptor interceptor);

  /**
   * An HTTP server that {@code http.type} may name, and over TLS as {@code <name>-secure} where a
   * plugin brings the TLS settings; a name is given once per node (NetworkModule:356 at 3.8.0).
   *
   * @throws IllegalArgumentException when another feature brought the same name
   */
  void httpTransport(String name, HttpTransportFactory factory);

  /** A part of the engine of every shard that wants it; all parts share one engine. */
  void engine(EngineExtension extension);
}
