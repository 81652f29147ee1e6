package io.millrace.search.timepruning;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.Query;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/** Puts a {@link SkipListRangeQuery} in the place of ranges whose documents are looked for. */
final class TimePruningListener implements SearchOperationListener {
  private final Switch enabled;
  private final RangesBesideConditions ranges;
  private final LoneRange lone;

  TimePruningListener(Switch enabled, LongAdder pruned, LongAdder declined) {
    this.enabled = enabled;
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
    Query replaced = lone.replace(ranges.replace(query), context);
    if (replaced != query) {
      context.parsedQuery(new RunQuery(context.parsedQuery(), replaced));
    }
  }
}
