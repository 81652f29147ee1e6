package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Documents that hold one of the best tokens for a query that keeps only so many, as fuzzy queries
 * do: the same choice as Lucene's TopTermsRewrite (better boost first, then the smaller term), over
 * the segment's terms and the tokens of its templates. Constant scores.
 */
final class TopTokensQuery extends Query {
  private final MultiTermQuery inner;
  private final int size;
  private final TemplateCache cache;

  TopTokensQuery(MultiTermQuery inner, int size, TemplateCache cache) {
    this.inner = inner;
    this.size = size;
    this.cache = cache;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    BestTokens best = new BestTokens(Math.min(size, IndexSearcher.getMaxClauseCount()));
    boolean reserved = false;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      LeafReader reader = leaf.reader();
      Terms terms = reader.terms(inner.getField());
      TemplateDictionary dictionary = cache.get(reader, inner.getField());
      if (terms == null || dictionary == null) {
        continue;
      }
      reserved |= dictionary.reserved();
      collect(inner.getTermsEnum(terms), best);
      collect(inner.getTermsEnum(new TokenTerms(dictionary.tokens())), best);
    }
    if (!reserved) {
      return inner;
    }
    List<BytesRef> tokens = best.tokens();
    if (tokens.isEmpty()) {
      return new MatchNoDocsQuery("no token within the distance");
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (BytesRef token : tokens) {
      any.add(TokenQuery.of(new Term(inner.getField(), token), cache), BooleanClause.Occur.SHOULD);
    }
    return new ConstantScoreQuery(any.build());
  }

  private static void collect(TermsEnum matching, BestTokens best) throws IOException {
    BoostAttribute boost = matching.attributes().addAttribute(BoostAttribute.class);
    for (BytesRef term = matching.next(); term != null; term = matching.next()) {
      if (!Reserved.isReserved(term)) {
        best.offer(term, boost.getBoost());
      }
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    inner.visit(visitor);
  }

  @Override
  public String toString(String defaultField) {
    return "log_text(" + inner.toString(defaultField) + ", best " + size + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TopTokensQuery that && inner.equals(that.inner) && size == that.size;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + inner.hashCode()) + size;
  }
}
