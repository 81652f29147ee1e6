package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.index.memory.MemoryIndex;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Where tokens stand in a segment's documents, for queries that need positions, which the index
 * does not have: the document's values are read from its source and indexed in memory, one document
 * at a time. Not safe for threads.
 */
final class SourcePositions {
  private final String field;
  private final IndexedText text;
  private final FieldValues values;
  private final MemoryIndex memory = new MemoryIndex();
  private int document = -1;
  private @Nullable TermsEnum tokens;
  private @Nullable PostingsEnum reuse;

  SourcePositions(String field, IndexedText text, LeafReader reader) {
    this.field = field;
    this.text = text;
    this.values = FieldValues.ofText(text, reader);
  }

  /**
   * The positions of a token in a document that holds it, in order, as a field of the type {@code
   * text} with the same analyzer has them.
   *
   * @throws IllegalArgumentException when the document's source does not have it
   */
  int[] of(int wanted, BytesRef token) throws IOException {
    if (document != wanted) {
      read(wanted);
    }
    TermsEnum at = tokens;
    if (at == null || !at.seekExact(token)) {
      throw new IllegalArgumentException(
          "a query on field ["
              + field
              + "] of type [log_text] needs the position of ["
              + token.utf8ToString()
              + "] in a document whose [_source] does not have it: positions are read from there,"
              + " and cannot be where the field lies in a nested object, is left out of _source or"
              + " is copied to; ask [match], or give the field a sub-field of type [text]");
    }
    PostingsEnum postings = at.postings(reuse, PostingsEnum.POSITIONS);
    reuse = postings;
    postings.nextDoc();
    int[] positions = new int[postings.freq()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = postings.nextPosition();
    }
    Arrays.sort(positions); // as they are, unless a value's tokens do not come in order
    return positions;
  }

  private void read(int wanted) throws IOException {
    memory.reset();
    tokens = null;
    reuse = null;
    values.read(wanted);
    Analyzer analyzer = text.analyzer();
    int gap = analyzer.getPositionIncrementGap(field);
    int before = 0;
    boolean any = false;
    for (String value : values.values()) {
      Value one = new Value(analyzer.tokenStream(field, value), any ? 0 : before);
      memory.addField(field, one, gap, analyzer.getOffsetGap(field));
      any |= one.any;
      before += gap;
    }
    LeafReader reader = (LeafReader) memory.createSearcher().getIndexReader();
    Terms terms = reader.terms(field);
    tokens = terms == null ? null : terms.iterator();
    document = wanted;
  }

  /**
   * The tokens of a value. Lucene's index leaves a gap behind each value (IndexingChain, 10.5.0),
   * the index in memory none before the first token of a document, so this token brings them.
   */
  private static final class Value extends TokenFilter {
    private final PositionIncrementAttribute increment =
        addAttribute(PositionIncrementAttribute.class);
    private final int gaps;
    private boolean any;

    /**
     * @param gaps positions that are left out before the first token
     */
    Value(TokenStream in, int gaps) {
      super(in);
      this.gaps = gaps;
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (!input.incrementToken()) {
        return false;
      }
      if (!any) {
        increment.setPositionIncrement(increment.getPositionIncrement() + gaps);
        any = true;
      }
      return true;
    }
  }
}
