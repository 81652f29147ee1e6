package io.millrace.kernel;

import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.index.IndexModule;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.rest.RestHandler;
import org.opensearch.transport.TransportInterceptor;

/**
 * Everything a feature may hook into; the plugin is the only implementor in production.
 *
 * <p>A new kind of hook adds one method here and one adapter line in the plugin; a new feature adds
 * nothing to the plugin. Hooks that OpenSearch gives only once per node or index are folded by the
 * plugin or not offered (house rule: REST wrapper, reader wrapper and QueryPhaseSearcher are left
 * to other plugins).
 */
public interface Hooks {

  /** A filter around every transport action; order is the filter's own. */
  void actionFilter(ActionFilter filter);

  /** A REST handler with its routes. */
  void rest(RestHandler handler);

  /**
   * Called for every index that this node opens, before its shards exist (IndexModule at 3.8.0).
   */
  void index(Consumer<IndexModule> listener);

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
}
