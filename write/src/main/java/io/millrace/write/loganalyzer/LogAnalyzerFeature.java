package io.millrace.write.loganalyzer;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.AnalyzerScope;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;

/**
 * Analyzers for log text, because the standard one hides identifiers: of 1M generated log messages
 * 32,724 hold {@code wsgi} inside {@code nova.osapi_compute.wsgi.server}, and a search for {@code
 * wsgi} on a standard text field finds none of them.
 *
 * <p>Four analyzers over one tokenizer: {@code millrace_log} (parts and whole tokens; enough
 * alone), {@code millrace_log_search} (the same as a graph: a match for {@code 10.11.10.1} wants
 * all its parts; as search_analyzer), {@code millrace_log_parts} (parts only; as
 * search_quote_analyzer) and {@code millrace_log_words} (whole tokens without digits only; what
 * {@code log_text} indexes).
 *
 * <p>Hooks: AnalysisPlugin.getAnalyzers and getTokenizers. Analyzers given there are known to every
 * index by name (AnalysisRegistry.buildMapping at 3.8.0).
 *
 * <p>The switch takes nothing away: an analyzer that no mapping names does nothing, and one that a
 * mapping names must stay or the index could not be opened.
 */
public final class LogAnalyzerFeature implements Feature {
  /** The tokenizer, and the analyzer with parts and all whole tokens. */
  public static final String LOG = "millrace_log";

  /** The analyzer with parts and the whole tokens that hold no digit. */
  public static final String LOG_WORDS = "millrace_log_words";

  /** As {@link #LOG}, as a graph: for match queries. */
  public static final String LOG_SEARCH = "millrace_log_search";

  /** The analyzer with parts only. */
  public static final String LOG_PARTS = "millrace_log_parts";

  /** Longest maximum: three bytes a character stay below Lucene's limit of 32,766 bytes. */
  static final int MAX_TOKEN_LENGTH_LIMIT = 8191;

  private final Switch enabled = Feature.switchFor(id(), true);

  @Override
  public String id() {
    return "write.log-analyzer";
  }

  @Override
  public String summary() {
    return "Analyzer `millrace_log`: identifiers with dots, slashes or `key=value` are "
        + "found by their parts and as a whole";
  }

  @Override
  public List<String> sources() {
    return List.of("log-identifiers");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.analyzer(LOG, provider(WholeTokens.ALL, false));
    hooks.analyzer(LOG_SEARCH, provider(WholeTokens.ALL, true));
    hooks.analyzer(LOG_WORDS, provider(WholeTokens.WORDS, false));
    hooks.analyzer(LOG_PARTS, provider(WholeTokens.NONE, false));
    hooks.tokenizer(LOG, (indexSettings, environment, name, settings) -> tokenizer(name, settings));
  }

  private static AnalysisProvider<AnalyzerProvider<? extends Analyzer>> provider(
      WholeTokens whole, boolean graph) {
    return (indexSettings, environment, name, settings) ->
        analyzer(name, new LogAnalyzer(whole, graph, maxTokenLength(settings)));
  }

  /**
   * Reads the tokenizer's settings {@code whole}, {@code graph} and {@code max_token_length}.
   *
   * @throws IllegalArgumentException naming setting, value and what is accepted
   */
  static TokenizerFactory tokenizer(String name, Settings settings) {
    WholeTokens whole = WholeTokens.parse(settings.get("whole", "all"));
    boolean graph = settings.getAsBoolean("graph", false);
    int maxTokenLength = maxTokenLength(settings);
    return TokenizerFactory.newFactory(name, () -> new LogTokenizer(whole, graph, maxTokenLength));
  }

  private static int maxTokenLength(Settings settings) {
    int length = settings.getAsInt("max_token_length", LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH);
    if (length < 1 || length > MAX_TOKEN_LENGTH_LIMIT) {
      throw new IllegalArgumentException(
          "[max_token_length] of [millrace_log] is ["
              + length
              + "]; it must lie between 1 and "
              + MAX_TOKEN_LENGTH_LIMIT
              + " characters");
    }
    return length;
  }

  private static AnalyzerProvider<Analyzer> analyzer(String name, Analyzer analyzer) {
    NamedAnalyzer named = new NamedAnalyzer(name, AnalyzerScope.INDEX, analyzer);
    return new AnalyzerProvider<>() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public AnalyzerScope scope() {
        return AnalyzerScope.INDEX;
      }

      @Override
      public Analyzer get() {
        return named.analyzer();
      }
    };
  }
}
