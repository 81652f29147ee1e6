package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.aggregations.SearchContextAggregations;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;

/**
 * Opens a {@link SearchMemory} for each phase of each search of each shard and puts check points
 * into it, all through what a listener is handed: the searcher's list of cancellation checks, the
 * consumer that counts buckets, and the query itself.
 *
 * <p>{@code onPreQueryPhase} runs before stock builds the aggregators
 * (SearchService#executeQueryPhase at 3.8.0), so that they take our consumer.
 */
final class GuardedSearches implements SearchOperationListener {
  private final Switch enabled;
  private final Ledger ledger;
  private final Map<SearchContext, Phase> phases = new ConcurrentHashMap<>();

  /** A phase at work, with what has to be undone after it. */
  private record Phase(SearchMemory memory, @Nullable ParsedQuery parsed, @Nullable Query query) {}

  GuardedSearches(Switch enabled, Ledger ledger) {
    this.enabled = enabled;
    this.ledger = ledger;
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    if (!enabled.on()) {
      return;
    }
    long documents = context.searcher().getIndexReader().maxDoc();
    SearchMemory memory = ledger.open(context.getTask(), source(context, "query"));
    memory.enter();
    ParsedQuery parsed = null;
    Query query = null;
    SearchContextAggregations aggregations = context.aggregations();
    SearchSourceBuilder source = context.request().source();
    if (aggregations != null && source != null && source.aggregations() != null) {
      BucketCost cost = BucketCost.of(source.aggregations().getAggregatorFactories(), documents);
      context.aggregations(
          new SearchContextAggregations(
              aggregations.factories(),
              new CountedBuckets(aggregations.multiBucketConsumer(), memory, cost.bytes())));
      if (cost.collects() && context.query() != null) {
        parsed = context.parsedQuery();
        query = context.query();
        context.parsedQuery(new RunQuery(parsed, new PacedQuery(query, memory)));
      }
    }
    CircuitBreakingException huge = hugeQueue(context, documents);
    if (huge != null && context.query() != null) {
      // what a listener throws is only logged (SearchOperationListener.CompositeListener), so the
      // search is made harmless: it asks for no hits, so no queue is made, and its query refuses to
      // run
      memory.refuse(huge);
      context.from(0);
      context.size(0);
      parsed = context.parsedQuery();
      query = context.query();
      context.parsedQuery(new RunQuery(parsed, new PacedQuery(query, memory)));
    }
    context.searcher().addQueryCancellation(memory::look);
    phases.put(context, new Phase(memory, parsed, query));
  }

  /**
   * A queue that is made before the first document is collected needs no measuring.
   *
   * @return why the search may not run; {@code null} when it may
   */
  private @Nullable CircuitBreakingException hugeQueue(SearchContext context, long documents) {
    int fields = context.sort() == null ? 0 : context.sort().sort.getSort().length;
    long hits = (long) Math.max(0, context.from()) + Math.max(0, context.size());
    long bytes = BucketCost.hits(hits, fields, 1, documents);
    long limit = ledger.limits().request();
    if (bytes <= limit) {
      return null;
    }
    ledger.refusedForLimit.increment();
    return new CircuitBreakingException(
        "[request] from + size of ["
            + hits
            + "] hits"
            + (fields > 0 ? " sorted by [" + fields + "] fields" : "")
            + " needs a queue of "
            + HeapShare.of(bytes, ledger.heapMax())
            + " on each shard, more than the "
            + HeapShare.of(limit, ledger.heapMax())
            + " one request may hold ["
            + ledger.limits().requestKey()
            + "]; page with search_after, or raise the limit",
        bytes,
        limit,
        Durability.PERMANENT);
  }

  @Override
  public void onQueryPhase(SearchContext context, long tookInNanos) {
    end(context);
  }

  @Override
  public void onFailedQueryPhase(SearchContext context) {
    end(context);
  }

  @Override
  public void onPreSliceExecution(SearchContext context) {
    Phase phase = phases.get(context);
    if (phase != null) {
      phase.memory.enter();
    }
  }

  @Override
  public void onSliceExecution(SearchContext context) {
    leaveSlice(context);
  }

  @Override
  public void onFailedSliceExecution(SearchContext context) {
    leaveSlice(context);
  }

  private void leaveSlice(SearchContext context) {
    Phase phase = phases.get(context);
    if (phase != null) {
      phase.memory.exit();
    }
  }

  @Override
  public void onPreFetchPhase(SearchContext context) {
    if (enabled.on()) {
      phases.computeIfAbsent(
          context,
          absent -> {
            SearchMemory memory = ledger.open(context.getTask(), source(context, "fetch"));
            memory.enter();
            return new Phase(memory, null, null);
          });
    }
  }

  @Override
  public void onFetchPhase(SearchContext context, long tookInNanos) {
    end(context);
  }

  @Override
  public void onFailedFetchPhase(SearchContext context) {
    end(context);
  }

  private void end(SearchContext context) {
    Phase phase = phases.remove(context);
    if (phase == null) {
      return;
    }
    ledger.close(phase.memory);
    if (phase.parsed != null && phase.query != null) {
      context.parsedQuery(new RunQuery(phase.parsed, phase.query));
    }
  }

  /**
   * The user's query for highlighting and explanations, another one to run: a context takes both
   * from one object, and asks it exactly once for the latter (DefaultSearchContext#parsedQuery).
   */
  private static final class RunQuery extends ParsedQuery {
    private @Nullable Query toRun;

    RunQuery(ParsedQuery asked, Query toRun) {
      super(asked.query(), asked);
      this.toRun = toRun;
    }

    @Override
    public synchronized Query query() {
      Query once = toRun;
      toRun = null;
      return once == null ? super.query() : once;
    }
  }

  /** Phases at work; zero on an idle node. */
  int open() {
    return phases.size();
  }

  private static String source(SearchContext context, String phase) {
    SearchSourceBuilder source = context.request().source();
    String asked = source == null ? "" : source.toString();
    return phase
        + " phase of "
        + context.shardTarget()
        + ", task "
        + (context.getTask() == null ? "unknown" : context.getTask().getParentTaskId())
        + ", source "
        + (asked.length() > 500 ? asked.substring(0, 500) + "..." : asked);
  }
}
