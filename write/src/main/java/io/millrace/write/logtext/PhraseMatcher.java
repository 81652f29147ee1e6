package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.memory.MemoryIndex;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.MappedFieldType;

/**
 * Looks for an exact phrase in the tokens of a value, as stock's search in an index of the
 * document's values would.
 */
final class PhraseMatcher {
  private final PhrasePattern pattern;
  private final int maxExpansions;

  private PhraseMatcher(PhrasePattern pattern, int maxExpansions) {
    this.pattern = pattern;
    this.maxExpansions = maxExpansions;
  }

  /**
   * Null for a phrase that only an index of the values can decide.
   *
   * @param maxExpansions different tokens that the prefix of the last place may stand for; where a
   *     document holds more of them, stock's search decides
   */
  static @Nullable PhraseMatcher of(PhraseShape shape, int maxExpansions) {
    // values are further apart than a pattern is wide
    PhrasePattern pattern = PhrasePattern.of(shape);
    return pattern == null ? null : new PhraseMatcher(pattern, maxExpansions);
  }

  /**
   * Looks into sources as they are; null for a phrase that cannot be seen so.
   *
   * @param field whose value is meant, at the top of the source
   */
  @Nullable SourceScan scan(String field) {
    return SourceScan.of(field, pattern, maxExpansions);
  }

  /** Stock's own search (SourceFieldMatchQuery#createWeight at 3.8.0). */
  static boolean matchesIndexed(Query phrase, MappedFieldType type, List<String> values) {
    if (values.isEmpty()) {
      return false;
    }
    MemoryIndex index = new MemoryIndex();
    for (String value : values) {
      index.addField(type.name(), value, type.indexAnalyzer());
    }
    return index.search(phrase) > 0;
  }

  /**
   * Whether one of a document's values holds the phrase.
   *
   * @param phrase as a query, for documents that only stock's search can decide
   */
  boolean matches(Query phrase, MappedFieldType type, List<String> values) throws IOException {
    boolean found = false;
    int[] expansions = {0};
    for (String value : values) {
      found |= look(type, value, expansions);
    }
    return expansions[0] > maxExpansions ? matchesIndexed(phrase, type, values) : found;
  }

  /**
   * Whether a value holds the phrase.
   *
   * @param expansions takes up the tokens that begin with the last place's prefix
   */
  private boolean look(MappedFieldType type, String value, int[] expansions) throws IOException {
    long before = 0; // how far the phrase had come a position ago
    long here = 0; // places of the phrase where the tokens of this position may stand
    boolean found = false;
    try (TokenStream tokens = type.indexAnalyzer().tokenStream(type.name(), value)) {
      TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        for (int i = step.getPositionIncrement(); i > 0; i--) {
          before = pattern.step(before, here);
          here = 0;
        }
        BytesRef token = term.getBytesRef();
        long places = pattern.positionsOf(token.bytes, token.offset, token.length);
        if (pattern.lastIsPrefix() && pattern.hasLast(places)) {
          expansions[0]++;
        }
        here |= places;
        found |= pattern.ends(pattern.step(before, here));
      }
      tokens.end();
    }
    return found;
  }
}
