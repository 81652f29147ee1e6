package io.millrace.search.deadline;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermQuery;
import org.opensearch.search.approximate.ApproximateScoreQuery;

/**
 * Queries that look up terms by name. Each is found at once, but the look-up asks whether the time
 * is over (ExitableDirectoryReader.ExitableTermsEnum at 3.8.0), and comes before the first document
 * of a segment: on a busy machine, or on a shard that waited for a thread, the time ends there.
 */
final class NamedTerms extends QueryVisitor {
  private boolean found;

  private NamedTerms() {}

  /**
   * Whether a query looks up terms, and is not the single term that stock counts without collecting
   * it, by its class (TopDocsCollectorContext#shortcutTotalHitCount at 3.8.0).
   */
  static boolean in(Query query) {
    if (bare(query) instanceof TermQuery) {
      return false;
    }
    NamedTerms terms = new NamedTerms();
    query.visit(terms);
    return terms.found;
  }

  private static Query bare(Query query) {
    Query inner = query;
    while (true) {
      if (inner instanceof ConstantScoreQuery constant) {
        inner = constant.getQuery();
      } else if (inner instanceof BoostQuery boosted) {
        inner = boosted.getQuery();
      } else if (inner instanceof ApproximateScoreQuery approximate) {
        inner = approximate.getOriginalQuery();
      } else {
        return inner;
      }
    }
  }

  @Override
  public void consumeTerms(Query leaf, Term... terms) {
    found = true;
  }

  @Override
  public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
    return this; // also of clauses that must not match
  }
}
