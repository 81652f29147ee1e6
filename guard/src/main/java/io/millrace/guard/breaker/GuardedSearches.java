package io.millrace.guard.breaker;

import io.millrace.guard.phases.PhaseListener;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.search.SearchService;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.SearchContextAggregations;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QueryPhase;
import org.opensearch.search.rescore.QueryRescorer;
import org.opensearch.search.rescore.RescoreContext;

/**
 * Opens a {@link SearchMemory} for each phase of each search of each shard and puts check points
 * into it, all through what a listener is handed: the searcher's list of cancellation checks, the
 * consumer that counts buckets, and the query itself.
 *
 * <p>{@link #queryBegins} runs before stock builds the aggregators (SearchService#executeQueryPhase
 * at 3.8.0), so that they take our consumer.
 */
final class GuardedSearches extends PhaseListener {
  /** Documents between two looks at a search that collects, and at another one that is slow. */
  private static final int COLLECTING = 128;

  private static final int SLOW = 1 << 16;

  private final Switch enabled;
  private final SearchLedger ledger;
  private final SlowSearches slow = new SlowSearches();
  private final Map<SearchContext, Phase> phases = new ConcurrentHashMap<>();

  /** A phase at work, with what has to be undone after it. */
  private record Phase(SearchMemory memory, @Nullable ParsedQuery parsed, @Nullable Query query) {}

  GuardedSearches(Switch enabled, SearchLedger ledger) {
    this.enabled = enabled;
    this.ledger = ledger;
  }

  @Override
  protected void queryBegins(SearchContext context) {
    if (!enabled.on()) {
      return;
    }
    long documents = context.searcher().getIndexReader().maxDoc();
    SearchSourceBuilder source = context.request().source();
    SearchMemory memory = ledger.open(context.getTask(), () -> about(context, "query"));
    memory.enter();
    ParsedQuery parsed = null;
    Query query = null;
    SearchContextAggregations aggregations = context.aggregations();
    int widest = slow.has(source) ? SLOW : 0;
    CircuitBreakingException huge = hugeQueue(context, documents);
    if (aggregations != null && source != null && source.aggregations() != null) {
      Collection<AggregationBuilder> tree = source.aggregations().getAggregatorFactories();
      BucketCost cost = BucketCost.of(tree, documents);
      // stock sets its own after this listener and before the first bucket is made
      // (DefaultAggregationProcessor#preProcess at 3.8.0)
      DeferredBuckets deferred = new DeferredBuckets(tree, memory, documents);
      Runnable defer =
          () -> {
            if (context.bucketCollectorProcessor() != deferred) {
              context.setBucketCollectorProcessor(deferred);
            }
          };
      context.aggregations(
          new SearchContextAggregations(
              aggregations.factories(),
              new CountedBuckets(aggregations.multiBucketConsumer(), memory, cost.bytes(), defer)));
      widest = cost.collects() ? COLLECTING : widest;
      if (huge == null) {
        huge = hugeDigest(tree);
      }
    }
    if (huge != null && context.query() != null) {
      // what a listener throws is only logged (SearchOperationListener.CompositeListener), so the
      // search is made harmless: it asks for no hits, so no queue is made, and its query refuses to
      // run
      memory.refuse(huge);
      context.from(0);
      context.size(0);
      widest = COLLECTING;
    }
    for (RescoreContext rescore : context.rescore()) {
      if (rescore instanceof QueryRescorer.QueryRescoreContext again
          && again.parsedQuery() != null) {
        ParsedQuery asked = again.parsedQuery();
        again.setParsedQuery(
            new ParsedQuery(new WatchedScores(asked.query(), stop(context, memory)), asked));
      }
    }
    if (widest > 0 && context.query() != null) {
      parsed = context.parsedQuery();
      query = context.query();
      Runnable stop = stop(context, memory);
      PacedQuery paced = new PacedQuery(query, stop, inTime(context, stop), widest);
      context.parsedQuery(new RunQuery(parsed, paced));
    }
    context.searcher().addQueryCancellation(memory::look);
    phases.put(context, new Phase(memory, parsed, query));
  }

  /** Ends a search that was stopped or cancelled. */
  private static Runnable stop(SearchContext context, SearchMemory memory) {
    return () -> {
      memory.look();
      if (context.isCancelled()) {
        String reason = context.getTask() == null ? null : context.getTask().getReasonCancelled();
        throw new TaskCancelledException(
            "the search was cancelled while its scripts ran"
                + (reason == null ? "" : ": " + reason));
      }
    };
  }

  /**
   * Ends a search for the same reasons, and one whose {@code timeout} is over. Only for where
   * documents are collected: that is where stock turns a timeout into a partial answer
   * (ContextIndexSearcher#searchLeaf at 3.8.0); anywhere else it would be an error 500. As in stock
   * a scroll has no timeout, because a page that is cut short would lose hits.
   */
  private static Runnable inTime(SearchContext context, Runnable stop) {
    TimeValue timeout = context.timeout();
    if (timeout == null
        || timeout.equals(SearchService.NO_TIMEOUT)
        || context.scrollContext() != null) {
      return stop;
    }
    long end = context.getRelativeTimeInMillis(false) + timeout.millis();
    return () -> {
      stop.run();
      if (context.getRelativeTimeInMillis(false) > end) {
        throw new QueryPhase.TimeExceededException();
      }
    };
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

  /**
   * A digest for percentiles makes all its arrays with the first bucket, whatever it will hold
   * (MergingDigest of t-digest): one with a compression of 100 million takes 25 GB.
   *
   * @return why the search may not run; {@code null} when it may
   */
  private @Nullable CircuitBreakingException hugeDigest(Collection<AggregationBuilder> tree) {
    double compression = BucketCost.compression(tree);
    long bytes = BucketCost.digest(compression);
    long limit = ledger.limits().request();
    if (bytes <= limit) {
      return null;
    }
    ledger.refusedForLimit.increment();
    return new CircuitBreakingException(
        "[request] a digest with the compression ["
            + compression
            + "] takes "
            + HeapShare.of(bytes, ledger.heapMax())
            + " in each bucket, more than the "
            + HeapShare.of(limit, ledger.heapMax())
            + " one request may hold ["
            + ledger.limits().requestKey()
            + "]; ask for a compression of 1000 or less, or raise the limit",
        bytes,
        limit,
        Durability.PERMANENT);
  }

  @Override
  protected void sliceBegins(SearchContext context) {
    Phase phase = phases.get(context);
    if (phase != null) {
      phase.memory.enter();
    }
  }

  @Override
  protected void sliceEnds(SearchContext context) {
    Phase phase = phases.get(context);
    if (phase != null) {
      phase.memory.exit();
    }
  }

  @Override
  protected void fetchBegins(SearchContext context) {
    if (enabled.on()) {
      phases.computeIfAbsent(
          context,
          absent -> {
            SearchMemory memory = ledger.open(context.getTask(), () -> about(context, "fetch"));
            memory.enter();
            return new Phase(memory, null, null);
          });
    }
  }

  @Override
  protected void ends(SearchContext context) {
    Phase phase = phases.remove(context);
    if (phase == null) {
      return;
    }
    ledger.close(phase.memory);
    if (phase.parsed != null && phase.query != null) {
      context.parsedQuery(new RunQuery(phase.parsed, phase.query));
    }
  }

  /** Phases at work; zero on an idle node. */
  int open() {
    return phases.size();
  }

  private static String about(SearchContext context, String phase) {
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
