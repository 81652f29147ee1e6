package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.memory.MemoryIndex;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.MappedFieldType;

/**
 * Looks for an exact phrase in the tokens of a value, as stock's search in an index of the
 * document's values would.
 *
 * @param shape of the phrase
 * @param maxExpansions different tokens that the prefix of the last place may stand for; where a
 *     document holds more of them, stock's search decides
 */
record PhraseMatcher(PhraseShape shape, int maxExpansions) {
  private static final int MOST_PLACES = 63;

  /** Null for a phrase that only an index of the values can decide. */
  static @Nullable PhraseMatcher of(PhraseShape shape, int maxExpansions) {
    int[] positions = shape.positions();
    boolean ascending = positions.length > 0 && positions.length <= MOST_PLACES;
    for (int i = 1; i < positions.length; i++) {
      ascending &= positions[i] > positions[i - 1];
    }
    // values are further apart than a phrase of this span
    return ascending && positions[positions.length - 1] - positions[0] <= MOST_PLACES
        ? new PhraseMatcher(shape, maxExpansions)
        : null;
  }

  /**
   * Looks into sources as they are; null for a phrase that cannot be seen so.
   *
   * @param field whose value is meant, at the top of the source
   */
  @Nullable SourceScan scan(String field) {
    return SourceScan.of(field, shape, maxExpansions);
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
   * Whether a value holds the phrase: a token stands at its last place, and at the positions before
   * it tokens that stand at the other places.
   *
   * @param expansions takes up the tokens that begin with the last place's prefix
   */
  private boolean look(MappedFieldType type, String value, int[] expansions) throws IOException {
    int[] positions = shape.positions();
    int last = positions.length - 1;
    long[] placesAt = new long[MOST_PLACES + 1]; // as bits, of the last 64 positions
    int position = -1;
    boolean found = false;
    try (TokenStream tokens = type.indexAnalyzer().tokenStream(type.name(), value)) {
      TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        for (int i = step.getPositionIncrement(); i > 0; i--) {
          placesAt[++position & MOST_PLACES] = 0;
        }
        long places = places(term.getBytesRef());
        if (places == 0) {
          continue;
        }
        placesAt[position & MOST_PLACES] |= places;
        boolean all = (places >>> last & 1) != 0;
        if (all && shape.lastIsPrefix()) {
          expansions[0]++;
        }
        for (int i = 0; all && i < last; i++) {
          int back = positions[last] - positions[i];
          all = back <= position && (placesAt[position - back & MOST_PLACES] >>> i & 1) != 0;
        }
        found |= all;
      }
      tokens.end();
    }
    return found;
  }

  /** The places where a token may stand, as bits. */
  private long places(BytesRef token) {
    Term[][] terms = shape.terms();
    long places = 0;
    for (int i = 0; i < terms.length; i++) {
      boolean prefix = shape.lastIsPrefix() && i == terms.length - 1;
      for (Term term : terms[i]) {
        BytesRef wanted = term.bytes();
        if (prefix ? StringHelper.startsWith(token, wanted) : token.bytesEquals(wanted)) {
          places |= 1L << i;
        }
      }
    }
    return places;
  }
}
