package io.millrace.write.loganalyzer;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;

/** {@link LogTokenizer} alone; normalizes (for wildcards and prefixes) to lower case. */
public final class LogAnalyzer extends Analyzer {
  /** As StandardAnalyzer's. */
  public static final int DEFAULT_MAX_TOKEN_LENGTH = 255;

  private final WholeTokens whole;
  private final boolean graph;
  private final int maxTokenLength;

  /** For the index, with the default maximum length. */
  public LogAnalyzer(WholeTokens whole) {
    this(whole, false, DEFAULT_MAX_TOKEN_LENGTH);
  }

  /**
   * @param whole which words get a whole token
   * @param graph whether a whole token is as long as its parts; for search only
   * @param maxTokenLength characters in one token at most
   */
  public LogAnalyzer(WholeTokens whole, boolean graph, int maxTokenLength) {
    this.whole = whole;
    this.graph = graph;
    this.maxTokenLength = maxTokenLength;
  }

  @Override
  protected TokenStreamComponents createComponents(String fieldName) {
    return new TokenStreamComponents(new LogTokenizer(whole, graph, maxTokenLength));
  }

  @Override
  protected TokenStream normalize(String fieldName, TokenStream in) {
    return new LowerCaseFilter(in);
  }
}
