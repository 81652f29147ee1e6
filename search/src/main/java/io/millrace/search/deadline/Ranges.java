package io.millrace.search.deadline;

import java.util.Collection;
import java.util.Set;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PointInSetQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.approximate.ApproximateScoreQuery;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;

/**
 * Queries that look through the points of a segment before they find a document: ranges and sets of
 * numbers, dates and addresses, and shapes.
 */
final class Ranges extends QueryVisitor {
  /**
   * Aggregations that stock answers from the points of a range that stands alone, where it knows
   * its class (Helper#unwrapIntoConcreteQuery at 3.8.0, CompositeAggregator,
   * CardinalityAggregator).
   */
  private static final Set<String> BY_RANGE =
      Set.of(
          "date_histogram",
          "auto_date_histogram",
          "date_range",
          "range",
          "composite",
          "cardinality");

  /** Lucene's queries by points share this package, and most are not public. */
  private static final String POINTS = LongPoint.class.getPackageName();

  private boolean found;

  private Ranges() {}

  /**
   * Whether a query may take long for its points, and stock has no short cut for it that a query
   * around it would hide.
   */
  static boolean in(Query query, SearchContext context) {
    Ranges ranges = new Ranges();
    query.visit(ranges);
    return ranges.found && (query instanceof BooleanQuery || !shortCut(query, context));
  }

  private static boolean shortCut(Query query, SearchContext context) {
    SearchSourceBuilder source = context.request().source();
    if (source != null && source.aggregations() != null) {
      return byRange(source.aggregations().getAggregatorFactories());
    }
    // ApproximatePointRangeQuery#canApproximate at 3.8.0: it stops after the hits that it needs
    return query instanceof ApproximateScoreQuery
        && context.trackTotalHitsUpTo() != SearchContext.TRACK_TOTAL_HITS_ACCURATE;
  }

  private static boolean byRange(Collection<AggregationBuilder> tree) {
    return tree.stream()
        .anyMatch(each -> BY_RANGE.contains(each.getType()) || byRange(each.getSubAggregations()));
  }

  @Override
  public void visitLeaf(Query leaf) {
    found |=
        leaf instanceof PointRangeQuery
            || leaf instanceof PointInSetQuery
            || leaf.getClass().getPackageName().equals(POINTS);
  }

  @Override
  public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
    return this; // also of clauses that must not match
  }
}
