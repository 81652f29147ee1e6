package io.millrace.search.timepruning;

import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TotalHits;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QuerySearchResult;

/**
 * Puts a {@link SkipListRangeQuery} in the place of ranges whose documents are looked for, and a
 * bound of time beside what is looked for newest first; a sort reads terms behind its first field
 * late.
 */
final class TimePruningListener implements SearchOperationListener {
  private final Switch enabled;
  private final Knob<Boolean> skipRanges;
  private final RangesBesideConditions ranges;
  private final LoneRange lone;
  private final NewestFirst newest;
  private final LongAdder bounded;

  /** Of the searches at work: the number of all matches, where the query finds fewer. */
  private final Map<SearchContext, Long> totals = new ConcurrentHashMap<>();

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
    if (!enabled.on()) {
      return;
    }
    LateTermOrder.in(context);
    if (query == null || PlanBoundAggregations.in(context)) {
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
      NewestFirst.Bounded found = newest.bound(query, context);
      if (found == null) {
        return query;
      }
      bounded.increment();
      if (found.total() >= 0) {
        totals.put(context, found.total());
      }
      return found.query();
    } catch (IOException e) {
      throw new UncheckedIOException("the newest documents of a shard cannot be looked at", e);
    }
  }

  /** The number of all matches in the place of the number of those that the bound left. */
  @Override
  public void onQueryPhase(SearchContext context, long tookInNanos) {
    Long total = totals.remove(context);
    if (total != null) {
      QuerySearchResult result = context.queryResult();
      TopDocsAndMaxScore found = result.topDocs();
      found.topDocs.totalHits = new TotalHits(total, TotalHits.Relation.EQUAL_TO);
      result.topDocs(found, result.sortValueFormats());
    }
  }

  @Override
  public void onFailedQueryPhase(SearchContext context) {
    totals.remove(context);
  }
}
