package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a {@code log_text} field that hold a token: the union of its own postings and of the
 * templates that hold it. Constant scores.
 *
 * <p>To visitors it is the query that a {@code match_only_text} field would run: a percolator takes
 * the terms of a stored query from there, and finds them in a percolated document, which has all
 * its tokens ({@link LogTextField}).
 */
final class TokenQuery extends Query {
  private static final int[] NONE = new int[0];

  private final TermQuery inner;
  private final TemplateCache cache;
  private final boolean ownOnly;

  private TokenQuery(Term term, TemplateCache cache, boolean ownOnly) {
    this.inner = new TermQuery(term);
    this.cache = cache;
    this.ownOnly = ownOnly;
  }

  static TokenQuery of(Term term, TemplateCache cache) {
    return new TokenQuery(term, cache, false);
  }

  /** Documents that hold a token as a variable or in a value without template. */
  static TokenQuery outsideOfTemplates(Term term, TemplateCache cache) {
    return new TokenQuery(term, cache, true);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    String field = inner.getTerm().field();
    return new UnionWeight(
        this,
        boost,
        field,
        cache,
        mode,
        true,
        (reader, terms, dictionary) -> find(terms, dictionary));
  }

  private @Nullable PostingsUnion find(Terms terms, TemplateDictionary dictionary)
      throws IOException {
    BytesRef token = inner.getTerm().bytes();
    if (Reserved.isReserved(token)) {
      return null;
    }
    int[] owners = ownOnly ? NONE : dictionary.owners(token);
    return PostingsUnion.of(terms, dictionary, owners, PostingsUnion.over(terms, token));
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
