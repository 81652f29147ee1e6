package io.millrace.search.deadline;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.SearchService;
import org.opensearch.search.internal.SearchContext;

/**
 * Puts a {@link DeadlineQuery} around the query of a search that has a {@code timeout} and looks
 * for documents before it collects the first: for terms, or for points in a range. Other queries
 * stay as they are, with all the short cuts that stock takes for them.
 */
final class DeadlineListener implements SearchOperationListener {
  final LongAdder saved = new LongAdder();
  final LongAdder skipped = new LongAdder();

  private static final TimeValue NOTHING_TO_END = TimeValue.timeValueDays(1);

  private final Switch enabled;
  private final Deadlines deadlines;
  private final TimedAggregations aggregations;

  DeadlineListener(Switch enabled, Deadlines deadlines, TimedAggregations aggregations) {
    this.enabled = enabled;
    this.deadlines = deadlines;
    this.aggregations = aggregations;
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Query query = context.query();
    if (!enabled.on() || query == null || !timed(context)) {
      return;
    }
    Deadline deadline = deadlines.current();
    if (deadline != null) {
      // a shard that waited has the rest of the time, and not all of it again
      long left = Math.max(1, deadline.left());
      context.timeout(TimeValue.timeValueMillis(Math.min(left, context.timeout().millis())));
      if (deadline.left() <= 0) {
        skip(context);
        return;
      }
      aggregations.timed(context, deadline);
    }
    if (Patterns.in(query) || NamedTerms.in(query) || Ranges.in(query, context)) {
      Runnable ended =
          () -> {
            context.setSearchTimedOut(true);
            saved.increment();
          };
      context.parsedQuery(new RunQuery(context.parsedQuery(), new DeadlineQuery(query, ended)));
    }
  }

  /** Stock would still collect for as long as its clock takes to move. */
  private void skip(SearchContext context) {
    context.setSearchTimedOut(true);
    // no more looks at the clock: one that throws where stock does not catch it would be a failure
    context.timeout(NOTHING_TO_END);
    context.parsedQuery(
        new RunQuery(
            context.parsedQuery(),
            new MatchNoDocsQuery("its time ended before a thread was free for it")));
    skipped.increment();
  }

  /** As QueryPhase#executeInternal decides it: a scroll has no timeout. */
  private static boolean timed(SearchContext context) {
    return context.scrollContext() == null
        && context.timeout() != null
        && !context.timeout().equals(SearchService.NO_TIMEOUT);
  }
}
