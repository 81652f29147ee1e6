package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Stream;
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

  private final Query inner;

  private TokenQuery(Query inner, String field, TemplateCache cache) {
    super(field, cache);
    this.inner = inner;
  }

  static TokenQuery of(Term term, TemplateCache cache) {
    return new TokenQuery(new TermQuery(term), term.field(), cache);
  }

  static TokenQuery of(MultiTermQuery query, TemplateCache cache) {
    return new TokenQuery(query, query.getField(), cache);
  }

  @Override
  @Nullable PostingsUnion find(LeafReader reader, Terms terms, TemplateDictionary dictionary)
      throws IOException {
    BytesRef[] templates = dictionary.templates;
    if (inner instanceof TermQuery query) {
      BytesRef token = query.getTerm().bytes();
      if (Reserved.isReserved(token)) {
        return null;
      }
      Stream<BytesRef> owners = Arrays.stream(dictionary.owners(token)).mapToObj(i -> templates[i]);
      return PostingsUnion.of(
          terms, PostingsUnion.over(terms, Stream.concat(Stream.of(token), owners).iterator()));
    }
    MultiTermQuery query = (MultiTermQuery) inner;
    Stream<BytesRef> owners = owners(query, dictionary).stream().mapToObj(i -> templates[i]);
    return PostingsUnion.of(
        terms,
        PostingsUnion.over(terms, owners.iterator())
            .then(tokens(query.getTermsEnum(terms), reader)));
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
    return "log_text(" + inner.toString(defaultField) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TokenQuery that && inner.equals(that.inner);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + inner.hashCode();
  }
}
