package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the tokens of a {@link TokenView}: stands on the smaller of the next stored token and
 * the next token of a template, on both where they are the same.
 */
final class TokenCursor extends BaseTermsEnum {
  private final TokenView view;
  private final @Nullable CompiledAutomaton automaton;
  private final @Nullable BytesRef after;

  private @Nullable TermsEnum stored; // opened by the first move: many cursors are never moved
  private @Nullable TermsEnum inTemplates;
  private @Nullable TermsEnum reading; // for postings of templates
  private @Nullable BytesRef ofStored;
  private @Nullable BytesRef ofTemplates;
  private @Nullable BytesRef current;
  private boolean apart; // stands on a token that was sought alone

  /** Goes over all tokens, and seeks. */
  TokenCursor(TokenView view) {
    this(view, null, null);
  }

  /**
   * Goes over the tokens that an automaton accepts, and cannot seek (Terms#intersect).
   *
   * @param after the last token that is left out; null for none
   */
  TokenCursor(TokenView view, @Nullable CompiledAutomaton automaton, @Nullable BytesRef after) {
    this.view = view;
    this.automaton = automaton;
    this.after = after;
  }

  private TermsEnum over(Terms terms) throws IOException {
    return automaton == null ? terms.iterator() : terms.intersect(automaton, after);
  }

  private TermsEnum stored() throws IOException {
    TermsEnum known = stored;
    if (known == null) {
      known = over(view.stored());
      stored = known;
    }
    return known;
  }

  private TermsEnum inTemplates() throws IOException {
    TermsEnum known = inTemplates;
    if (known == null) {
      known = over(new TokenTerms(view.dictionary().tokens()));
      inTemplates = known;
    }
    return known;
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    BytesRef before = current;
    if (before == null) {
      return first();
    }
    if (apart) {
      seekCeil(BytesRef.deepCopyOf(before));
      before = current;
    }
    boolean both = ofStored != null && ofTemplates != null && ofStored.bytesEquals(ofTemplates);
    boolean fromStored = before == ofStored;
    if (fromStored || both) {
      ofStored = stored().next();
    }
    if (!fromStored || both) {
      ofTemplates = inTemplates().next();
    }
    return settle();
  }

  private @Nullable BytesRef first() throws IOException {
    if (automaton == null) {
      seekCeil(Reserved.FIRST_TOKEN);
      return current;
    }
    do {
      ofStored = stored().next();
    } while (ofStored != null && Reserved.isReserved(ofStored));
    ofTemplates = inTemplates().next();
    return settle();
  }

  @Override
  public SeekStatus seekCeil(BytesRef wanted) throws IOException {
    BytesRef from = wanted.compareTo(Reserved.FIRST_TOKEN) < 0 ? Reserved.FIRST_TOKEN : wanted;
    ofStored = stored().seekCeil(from) == SeekStatus.END ? null : stored().term();
    ofTemplates = inTemplates().seekCeil(from) == SeekStatus.END ? null : inTemplates().term();
    apart = false;
    BytesRef found = settle();
    if (found == null) {
      return SeekStatus.END;
    }
    return found.bytesEquals(wanted) ? SeekStatus.FOUND : SeekStatus.NOT_FOUND;
  }

  /** Costs a look into each, and no walk to the token that follows. */
  @Override
  public boolean seekExact(BytesRef wanted) throws IOException {
    if (Reserved.isReserved(wanted)) {
      return false;
    }
    ofStored = stored().seekExact(wanted) ? stored().term() : null;
    ofTemplates = inTemplates().seekExact(wanted) ? inTemplates().term() : null;
    apart = true;
    return settle() != null;
  }

  private @Nullable BytesRef settle() {
    boolean fromStored =
        ofStored != null && (ofTemplates == null || ofStored.compareTo(ofTemplates) <= 0);
    current = fromStored ? ofStored : ofTemplates;
    return current;
  }

  @Override
  public BytesRef term() {
    BytesRef here = current;
    if (here == null) {
      throw new IllegalStateException("stands at no term");
    }
    return here;
  }

  @Override
  public void seekExact(long ord) {
    throw new UnsupportedOperationException("tokens have no ordinals");
  }

  @Override
  public long ord() {
    throw new UnsupportedOperationException("tokens have no ordinals");
  }

  /** Whether the token has postings of its own. */
  private boolean hasOwn() {
    return current != null && current == ofStored;
  }

  /** The templates that hold the token. */
  private int[] owners() throws IOException {
    return view.dictionary().owners(term());
  }

  /** An upper bound of the token's documents, reached where none is counted twice. */
  private long sum(int[] owners) throws IOException {
    long sum = hasOwn() ? stored().docFreq() : 0;
    for (int owner : owners) {
      sum += view.dictionary().frequencies[owner];
    }
    return sum;
  }

  private TokenDocuments union(int[] owners) throws IOException {
    TermsEnum templates = reading;
    if (templates == null) {
      templates = view.stored().iterator();
      reading = templates;
    }
    TemplateDictionary dictionary = view.dictionary();
    TokenDocuments.Union union = new TokenDocuments.Union(sum(owners), view.maxDoc());
    if (hasOwn()) {
      union.add(stored().postings(null, PostingsEnum.NONE));
    }
    PostingsEnum postings = null;
    for (int owner : owners) {
      if (dictionary.documents.held(owner)) {
        dictionary.documents.forEach(owner, union::add);
      } else {
        BytesRef template = dictionary.templates[owner];
        postings = dictionary.documents.postings(owner, template, templates, postings);
        union.add(postings);
      }
    }
    return union.documents();
  }

  /** Templates share no document; but what one holds, a later value of its document may hold. */
  @Override
  public int docFreq() throws IOException {
    int[] owners = owners();
    boolean exact = !hasOwn() || owners.length == 0 || view.dictionary().disjoint();
    return Math.toIntExact(exact ? sum(owners) : union(owners).cost());
  }

  @Override
  public long totalTermFreq() throws IOException {
    return docFreq();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    int[] owners = owners();
    return owners.length == 0
        ? stored().postings(reuse instanceof TokenDocuments ? null : reuse, flags)
        : union(owners);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    return owners().length == 0
        ? stored().impacts(flags)
        : new SlowImpactsEnum(postings(null, flags));
  }
}
