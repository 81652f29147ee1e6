package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a {@code log_text} field of one segment as {@code match_only_text} would have
 * written them: the tokens alone, in order, each with every document that holds it, be it by its
 * own postings or by a template. Document frequencies are exact, since queries decide by them
 * (common terms) and count by them.
 */
final class TokenView extends Terms {
  /** Reads a dictionary when it is first wanted: many readers of terms ask for flags alone. */
  @FunctionalInterface
  interface Source {
    @Nullable TemplateDictionary get() throws IOException;
  }

  /**
   * @param size distinct tokens
   * @param postings pairs of a token and a document that holds it
   */
  record Figures(long size, long postings) {}

  private final Terms stored;
  private final int maxDoc;
  private final Source source;
  private @Nullable TemplateDictionary dictionary;

  TokenView(Terms stored, int maxDoc, Source source) {
    this.stored = stored;
    this.maxDoc = maxDoc;
    this.source = source;
  }

  synchronized TemplateDictionary dictionary() throws IOException {
    TemplateDictionary known = dictionary;
    if (known == null) {
      known = source.get();
      if (known == null) {
        throw new IllegalStateException("terms without a dictionary of their templates");
      }
      dictionary = known;
    }
    return known;
  }

  /** The terms as they are stored. */
  Terms stored() {
    return stored;
  }

  int maxDoc() {
    return maxDoc;
  }

  @Override
  public TermsEnum iterator() {
    return new TokenCursor(this);
  }

  /** Both dictionaries skip what the automaton does not accept, each in its own way. */
  @Override
  public TermsEnum intersect(CompiledAutomaton automaton, @Nullable BytesRef startTerm) {
    return new TokenCursor(this, automaton, startTerm);
  }

  @Override
  public @Nullable BytesRef getMin() throws IOException {
    return iterator().next();
  }

  @Override
  public @Nullable BytesRef getMax() throws IOException {
    BytesRef last = stored.getMax();
    BytesRef[] tokens = dictionary().tokens();
    if (last != null && Reserved.isReserved(last)) {
      last = null;
    }
    if (tokens.length == 0) {
      return last;
    }
    BytesRef lastToken = tokens[tokens.length - 1];
    return last == null || last.compareTo(lastToken) < 0 ? lastToken : last;
  }

  @Override
  public long size() throws IOException {
    return figures().size;
  }

  @Override
  public long getSumDocFreq() throws IOException {
    return figures().postings;
  }

  @Override
  public long getSumTotalTermFreq() throws IOException {
    return figures().postings;
  }

  /** Counted when first asked for in a segment. */
  private Figures figures() throws IOException {
    TemplateDictionary templates = dictionary();
    Figures known = templates.figures;
    if (known == null) {
      known = count(templates);
      templates.figures = known;
    }
    return known;
  }

  private Figures count(TemplateDictionary templates) throws IOException {
    long terms = stored.size() - templates.templates.length - (templates.free > 0 ? 1 : 0);
    long postings = stored.getSumDocFreq() - templates.free;
    for (int frequency : templates.frequencies) {
      postings -= frequency;
    }
    TermsEnum at = iterator();
    TermsEnum own = stored.iterator();
    for (BytesRef token : templates.tokens()) {
      boolean both = own.seekExact(token);
      at.seekExact(token);
      terms += both ? 0 : 1;
      postings += at.docFreq() - (both ? own.docFreq() : 0);
    }
    return new Figures(terms, postings);
  }

  @Override
  public int getDocCount() throws IOException {
    return stored.getDocCount();
  }

  @Override
  public boolean hasFreqs() {
    return stored.hasFreqs();
  }

  @Override
  public boolean hasOffsets() {
    return stored.hasOffsets();
  }

  @Override
  public boolean hasPositions() {
    return stored.hasPositions();
  }

  @Override
  public boolean hasPayloads() {
    return stored.hasPayloads();
  }
}
