package io.millrace.search.timepruning;

import io.millrace.search.timepruning.RangesBesideConditions.Replacement;
import java.io.IOException;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.approximate.ApproximateQuery;
import org.opensearch.search.approximate.ApproximateScoreQuery;
import org.opensearch.search.internal.SearchContext;

/**
 * A range that is the whole query and whose documents are all visited: for aggregations, or to be
 * counted one by one where documents are deleted.
 *
 * <p>Stock looks for such a range by the classes around it (Helper#unwrapIntoConcreteQuery at
 * 3.8.0). A range that stock knows stays where stock finds it, and this plan goes beside it as the
 * approximation, which is what a search runs that has to visit documents.
 */
final class LoneRange {
  private final Replacement replacement;

  LoneRange(Replacement replacement) {
    this.replacement = replacement;
  }

  /** The same query where it is no range, or where not all its documents are visited. */
  Query replace(Query query, SearchContext context) {
    return visitsAll(context) ? replace(query) : query;
  }

  /** As ApproximatePointRangeQuery#canApproximate decides it: otherwise stock may stop early. */
  private static boolean visitsAll(SearchContext context) {
    return context.aggregations() != null
        || (context.size() == 0
            && context.trackTotalHitsUpTo() == SearchContext.TRACK_TOTAL_HITS_ACCURATE);
  }

  Query replace(Query query) {
    if (query instanceof BoostQuery boosted) {
      // a filter alone: a query that stock's aggregations do not look into
      Query bySkipList = bySkipList(boosted.getQuery());
      return bySkipList == null ? query : new BoostQuery(bySkipList, boosted.getBoost());
    }
    Query original =
        query instanceof ApproximateScoreQuery approximate ? approximate.getOriginalQuery() : query;
    Query bySkipList = bySkipList(original);
    return bySkipList == null
        ? query
        : new ApproximateScoreQuery(original, new Visited(original, bySkipList));
  }

  private @Nullable Query bySkipList(Query query) {
    if (query instanceof ConstantScoreQuery constant) {
      Query inner = bySkipList(constant.getQuery());
      return inner == null ? null : new ConstantScoreQuery(inner);
    }
    IndexOrDocValuesQuery range = RangesBesideConditions.points(query);
    return range == null ? null : RangesBesideConditions.replaced(range, replacement);
  }

  /** What runs in the place of a range that stock knows: the same documents. */
  private static final class Visited extends ApproximateQuery {
    private final Query original;
    private final Query bySkipList;

    Visited(Query original, Query bySkipList) {
      this.original = original;
      this.bySkipList = bySkipList;
    }

    @Override
    protected boolean canApproximate(SearchContext context) {
      return true;
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
      return bySkipList.rewrite(searcher);
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
        throws IOException {
      return bySkipList.createWeight(searcher, mode, boost);
    }

    @Override
    public void visit(QueryVisitor visitor) {
      original.visit(visitor);
    }

    @Override
    public String toString(String field) {
      return bySkipList.toString(field);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Visited visited && bySkipList.equals(visited.bySkipList);
    }

    @Override
    public int hashCode() {
      return 31 * classHash() + bySkipList.hashCode();
    }
  }
}
