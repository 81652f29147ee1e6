package io.millrace.search.timepruning;

import java.util.Collection;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.bucket.composite.CompositeAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.AutoDateHistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;

/**
 * Aggregations whose answer or plan depends on the plan of the query, so that stock's has to stay.
 *
 * <p>Date histograms: in OpenSearch 3.8.0 HistogramSkiplistLeafCollector#advanceSkipper adds the
 * bucket of a block of which no document was found, when documents come to it as a stream. The
 * answer then begins or ends with empty buckets, and whether they come as a stream depends on the
 * plan. Composite: LongValuesSource#extractQuery knows a range by its classes.
 */
final class PlanBoundAggregations {
  private PlanBoundAggregations() {}

  /** Whether a search asks for one, at any depth. */
  static boolean in(SearchContext context) {
    if (context.aggregations() == null) {
      return false;
    }
    SearchSourceBuilder source = context.request().source();
    return source == null
        || source.aggregations() == null
        || any(source.aggregations().getAggregatorFactories());
  }

  private static boolean any(Collection<AggregationBuilder> tree) {
    return tree.stream()
        .anyMatch(each ->
            each instanceof DateHistogramAggregationBuilder
                || each instanceof AutoDateHistogramAggregationBuilder
                || each instanceof CompositeAggregationBuilder
                || any(each.getSubAggregations()));
  }
}
