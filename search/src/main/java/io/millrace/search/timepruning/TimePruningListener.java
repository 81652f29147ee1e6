package io.millrace.search.timepruning;

import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.Query;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Puts a {@link SkipListRangeQuery} in the place of ranges whose documents are looked for, and a
 * bound of time beside what is looked for newest first.
 */
final class TimePruningListener implements SearchOperationListener {
  private final Switch enabled;
  private final Knob<Boolean> skipRanges;
  private final RangesBesideConditions ranges;
  private final LoneRange lone;
  private final NewestFirst newest;
  private final LongAdder bounded;

  TimePruningListener(
      Switch enabled,
      Knob<Boolean> skipRanges,
      NewestFirst newest,
      LongAdder pruned,
      LongAdder declined,
      LongAdder bounded) {
    this.enabled = enabled;
    this.skipRanges = skipRanges;
    this.newest = newest;
    this.bounded = bounded;
    RangesBesideConditions.Replacement bySkipList =
        (stock, values, points) -> new SkipListRangeQuery(stock, values, points, pruned, declined);
    this.ranges = new RangesBesideConditions(bySkipList);
    this.lone = new LoneRange(bySkipList);
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Query query = context.query();
    if (!enabled.on() || query == null || PlanBoundAggregations.in(context)) {
      return;
    }
    Query replaced = bounded(query, context);
    if (replaced == query && skipRanges.value()) {
      replaced = lone.replace(ranges.replace(query), context);
    }
    if (replaced != query) {
      context.parsedQuery(new RunQuery(context.parsedQuery(), replaced));
    }
  }

  private Query bounded(Query query, SearchContext context) {
    try {
      Query bound = newest.replace(query, context);
      if (bound != query) {
        bounded.increment();
      }
      return bound;
    } catch (IOException e) {
      throw new UncheckedIOException("the newest documents of a shard cannot be looked at", e);
    }
  }
}
