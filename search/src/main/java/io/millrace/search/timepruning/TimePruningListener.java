package io.millrace.search.timepruning;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.Query;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/** Puts a {@link SkipListRangeQuery} in the place of each range that stands beside a condition. */
final class TimePruningListener implements SearchOperationListener {
  private final Switch enabled;
  private final RangesBesideConditions ranges;

  TimePruningListener(Switch enabled, LongAdder pruned, LongAdder declined) {
    this.enabled = enabled;
    this.ranges =
        new RangesBesideConditions((stock, values, point) ->
            new SkipListRangeQuery(stock, values, point, pruned, declined));
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Query query = context.query();
    if (!enabled.on() || query == null) {
      return;
    }
    Query replaced = ranges.replace(query);
    if (replaced != query) {
      context.parsedQuery(new RunQuery(context.parsedQuery(), replaced));
    }
  }
}
