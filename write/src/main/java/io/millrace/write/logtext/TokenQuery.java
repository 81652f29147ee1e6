package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a {@code log_text} field that hold a token: the union of the postings of the tokens
 * that match and of the templates that hold a token that matches. Constant scores; memory does not
 * grow with the tokens that match, see {@link PostingsUnion}.
 *
 * <p>What matches is asked of the query that a {@code match_only_text} field would run, a {@link
 * TermQuery} or a {@link MultiTermQuery} (prefix, wildcard, regexp, range, terms): once over the
 * segment's own terms, once over the tokens of its templates.
 *
 * <p>To visitors it is that query too: a percolator takes the terms of a stored query from there,
 * and finds them in a percolated document, which has all its tokens ({@link LogTextField}).
 */
final class TokenQuery extends UnionQuery {
  private static final int TERMS_BETWEEN_CHECKS = 256;
  private static final int[] NONE = new int[0];

  private final Query inner;
  private final boolean ownOnly;

  private TokenQuery(Query inner, String field, TemplateCache cache, boolean ownOnly) {
    super(field, cache);
    this.inner = inner;
    this.ownOnly = ownOnly;
  }

  static TokenQuery of(Term term, TemplateCache cache) {
    return new TokenQuery(new TermQuery(term), term.field(), cache, false);
  }

  static TokenQuery of(MultiTermQuery query, TemplateCache cache) {
    return new TokenQuery(query, query.getField(), cache, false);
  }

  /** Documents that hold a token as a variable or in a value without template. */
  static TokenQuery outsideOfTemplates(Term term, TemplateCache cache) {
    return new TokenQuery(new TermQuery(term), term.field(), cache, true);
  }

  @Override
  @Nullable PostingsUnion find(LeafReader reader, Terms terms, TemplateDictionary dictionary)
      throws IOException {
    if (inner instanceof TermQuery query) {
      BytesRef token = query.getTerm().bytes();
      if (Reserved.isReserved(token)) {
        return null;
      }
      int[] owners = ownOnly ? NONE : dictionary.owners(token);
      return PostingsUnion.of(terms, dictionary, owners, PostingsUnion.over(terms, token));
    }
    MultiTermQuery query = (MultiTermQuery) inner;
    return PostingsUnion.of(
        terms,
        dictionary,
        owners(query, dictionary).stream().toArray(),
        tokens(query.getTermsEnum(terms), reader));
  }

  @Override
  boolean findsOneToken() {
    return inner instanceof TermQuery;
  }

  /**
   * Goes over the segment's own terms that match. They are read past the search's own reader, which
   * would end an enumeration when the search is cancelled; so that reader is asked now and then
   * (ExitableDirectoryReader at 3.8.0: each enumeration asks when it is made).
   */
  private PostingsUnion.Walk tokens(TermsEnum matching, LeafReader reader) {
    int[] seen = {0};
    return () -> {
      if (++seen[0] % TERMS_BETWEEN_CHECKS == 0) {
        Terms cancellable = reader.terms(field());
        if (cancellable != null) {
          cancellable.iterator();
        }
      }
      BytesRef term = matching.next();
      while (term != null && Reserved.isReserved(term)) {
        term = matching.next();
      }
      return term == null ? null : matching;
    };
  }

  /** The templates that hold a token that matches. */
  private static BitSet owners(MultiTermQuery query, TemplateDictionary dictionary)
      throws IOException {
    BitSet owners = new BitSet(dictionary.templates.length);
    BytesRef[] tokens = dictionary.tokens();
    TermsEnum inTemplates = query.getTermsEnum(new TokenTerms(tokens));
    for (BytesRef token = inTemplates.next(); token != null; token = inTemplates.next()) {
      for (int owner : dictionary.owners(Arrays.binarySearch(tokens, token))) {
        owners.set(owner);
      }
    }
    return owners;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    inner.visit(visitor);
  }

  @Override
  public String toString(String defaultField) {
    return (ownOnly ? "log_text_own(" : "log_text(") + inner.toString(defaultField) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TokenQuery that && inner.equals(that.inner) && ownOnly == that.ownOnly;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + inner.hashCode()) + Boolean.hashCode(ownOnly);
  }
}
