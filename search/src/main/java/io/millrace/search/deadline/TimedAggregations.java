package io.millrace.search.deadline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.SearchContextAggregations;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;

/**
 * Puts a clock into the aggregations of a search that read hits: a listener may give a search other
 * aggregations before stock makes their aggregators (SearchService#executeQueryPhase at 3.8.0).
 */
final class TimedAggregations {
  final LongAdder unread = new LongAdder();

  private final FetchTime fetchTime;
  private volatile @Nullable NamedWriteableRegistry registry;

  TimedAggregations(FetchTime fetchTime) {
    this.fetchTime = fetchTime;
  }

  void start(NamedWriteableRegistry known) {
    registry = known;
  }

  void timed(SearchContext context, Deadline deadline) {
    SearchContextAggregations stock = context.aggregations();
    SearchSourceBuilder source = context.request().source();
    NamedWriteableRegistry ready = registry;
    if (ready == null
        || stock == null
        || source == null
        || source.aggregations() == null
        || !TopHitsTree.in(source.aggregations().getAggregatorFactories())) {
      return;
    }
    TopHitsFetch fetch = new TopHitsFetch(context, deadline, fetchTime.afterWaiting(), unread);
    try {
      AggregatorFactories timed =
          TopHitsTree.timed(source.aggregations(), fetch, ready)
              .build(context.getQueryShardContext(), null);
      context.aggregations(new SearchContextAggregations(timed, stock.multiBucketConsumer()));
    } catch (IOException e) {
      throw new UncheckedIOException("the aggregations of a search cannot be copied", e);
    }
  }
}
