package io.millrace.kernel.hooks;

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.CharFilterFactory;
import org.opensearch.index.analysis.TokenFilterFactory;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.plugins.AnalysisPlugin;

/** Analyzers and their parts, as {@link AnalysisPlugin} takes them. */
public interface AnalysisHooks extends HookRegistry.Holder {

  /** An analyzer that every index knows by this name. */
  default void analyzer(
      String name, AnalysisProvider<AnalyzerProvider<? extends Analyzer>> provider) {
    Collector.of(this).analyzers.add(provider, name);
  }

  /** A tokenizer for custom analyzers. */
  default void tokenizer(String name, AnalysisProvider<TokenizerFactory> provider) {
    Collector.of(this).tokenizers.add(provider, name);
  }

  /** A token filter for custom analyzers. */
  default void tokenFilter(String name, AnalysisProvider<TokenFilterFactory> provider) {
    Collector.of(this).tokenFilters.add(provider, name);
  }

  /** A character filter for custom analyzers. */
  default void charFilter(String name, AnalysisProvider<CharFilterFactory> provider) {
    Collector.of(this).charFilters.add(provider, name);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers;
    private final Declarations<AnalysisProvider<TokenizerFactory>> tokenizers;
    private final Declarations<AnalysisProvider<TokenFilterFactory>> tokenFilters;
    private final Declarations<AnalysisProvider<CharFilterFactory>> charFilters;

    private Collector(HookRegistry registry) {
      analyzers = registry.declarations("analyzer");
      tokenizers = registry.declarations("tokenizer");
      tokenFilters = registry.declarations("token filter");
      charFilters = registry.declarations("character filter");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends AnalysisPlugin, HookRegistry.Holder {
    @Override
    default Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
      return Collector.of(this).analyzers.byName();
    }

    @Override
    default Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
      return Collector.of(this).tokenizers.byName();
    }

    @Override
    default Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
      return Collector.of(this).tokenFilters.byName();
    }

    @Override
    default Map<String, AnalysisProvider<CharFilterFactory>> getCharFilters() {
      return Collector.of(this).charFilters.byName();
    }
  }
}
