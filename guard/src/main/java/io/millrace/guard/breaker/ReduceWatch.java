package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchProgressListener;
import org.opensearch.action.search.SearchShard;
import org.opensearch.action.search.SearchTask;
import org.opensearch.common.io.stream.DelayableWriteable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.search.SearchPhaseResult;
import org.opensearch.search.SearchService;
import org.opensearch.search.aggregations.MultiBucketConsumerService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.ShardSearchRequest;
import org.opensearch.search.query.QuerySearchResult;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.transport.Transport;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestHandler;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportResponseHandler;
import org.opensearch.transport.stream.StreamTransportResponse;

/**
 * Adds up what the shards answer to one search while the answers come in, on the node that will
 * reduce them, and stops the search when those that wait ({@link Gathering}) would take more than
 * its share.
 *
 * <p>Stock charges an answer's serialized size and takes half of it for the reduce
 * (QueryPhaseResultConsumer.PendingReduces#estimateRamBytesUsedForReduce at 3.8.0); objects are
 * several times their serialized form, so the factor is learned here ({@link HeapFactor}). Answers
 * of this very node come as objects and are not counted: their making was, by {@link
 * GuardedSearches}.
 *
 * <p>A stopped search is cancelled, not failed from outside: stock then frees the readers that its
 * shards keep open.
 */
final class ReduceWatch implements TransportInterceptor {
  private static final Logger LOG = LogManager.getLogger(ReduceWatch.class);
  private static final long PER_HIT = 48;
  private static final long PER_FIELD = 32;

  private final Switch enabled;
  private final SearchLedger ledger;
  private final RequestLimits limits;
  private final long heap;
  private final HeapFactor factor;
  private final IntSupplier maxBuckets;
  private final Map<Long, Gathering> searches = new ConcurrentHashMap<>();
  final LongAdder refused = new LongAdder();

  /**
   * @param maxBuckets what {@code search.max_buckets} says now
   */
  ReduceWatch(Switch enabled, SearchLedger ledger, HeapFactor factor, IntSupplier maxBuckets) {
    this.enabled = enabled;
    this.ledger = ledger;
    this.limits = ledger.limits();
    this.heap = ledger.heapMax();
    this.factor = factor;
    this.maxBuckets = maxBuckets;
  }

  /** Searches that this node coordinates now. */
  int coordinating() {
    return searches.size();
  }

  /** Bytes of answers that wait here, estimated as objects, and of what reduces left of others. */
  long gathered() {
    return searches.values().stream().mapToLong(Gathering::bytes).sum();
  }

  /** What the final reduce of a search will make; {@code null} for one that makes nothing. */
  static @Nullable GapBuckets gaps(@Nullable SearchSourceBuilder source) {
    return source == null || source.aggregations() == null
        ? null
        : GapBuckets.of(source.aggregations().getAggregatorFactories());
  }

  /** Why a search may not begin; {@code null} when it may. */
  @Nullable CircuitBreakingException refusal(@Nullable GapBuckets gaps) {
    if (gaps == null || !tooMany(gaps.certain())) {
      return null;
    }
    refused.increment();
    return tooManyGaps(gaps.certain());
  }

  private boolean tooMany(double buckets) {
    return buckets > maxBuckets.getAsInt() || buckets * GapBuckets.BYTES > limits.request();
  }

  /** The listener that ends the watch and puts the reason in place of "task cancelled". */
  <T> ActionListener<T> watch(
      CancellableTask task,
      @Nullable SearchSourceBuilder source,
      @Nullable GapBuckets gaps,
      ActionListener<T> listener) {
    Gathering search = new Gathering(task, kept(source), gaps, factor, this::check);
    if (task instanceof SearchTask own
        && own.getProgressListener() == SearchProgressListener.NOOP) {
      own.setProgressListener(search);
    }
    searches.put(task.getId(), search);
    return ActionListener.wrap(
        response -> {
          searches.remove(task.getId());
          listener.onResponse(response);
        },
        failure -> {
          searches.remove(task.getId());
          Exception reason = search.refusal().get();
          listener.onFailure(reason == null ? failure : reason);
        });
  }

  /** Hits that a reduce keeps, as stock counts them. */
  private static long kept(@Nullable SearchSourceBuilder source) {
    if (source == null) {
      return SearchService.DEFAULT_SIZE;
    }
    long size = source.size() == -1 ? SearchService.DEFAULT_SIZE : source.size();
    return size + Math.max(0, source.from());
  }

  @Override
  public <T extends TransportRequest> TransportRequestHandler<T> interceptHandler(
      String action, String executor, boolean forceExecution, TransportRequestHandler<T> handler) {
    return ledger.refusals().telling(action, handler, enabled);
  }

  @Override
  public AsyncSender interceptSender(AsyncSender sender) {
    return new AsyncSender() {
      @Override
      public <T extends TransportResponse> void sendRequest(
          Transport.Connection connection,
          String action,
          TransportRequest request,
          TransportRequestOptions options,
          TransportResponseHandler<T> handler) {
        TransportResponseHandler<T> counting = handler;
        if (enabled.on()
            && request instanceof ShardSearchRequest shard
            && !handler.skipsDeserialization()) {
          Gathering search = searches.get(request.getParentTask().getId());
          if (search != null) {
            counting =
                new Counting<>(
                    handler, search, new SearchShard(shard.getClusterAlias(), shard.shardId()));
          }
        }
        sender.sendRequest(connection, action, request, options, counting);
      }
    };
  }

  private void received(Gathering search, SearchShard shard, SearchPhaseResult result) {
    QuerySearchResult query = result.queryResult();
    if (query == null) {
      return;
    }
    GapBuckets gaps = search.gaps();
    if (gaps != null && query.hasAggs()) {
      double buckets = gaps.add(query.aggregations().expand());
      if (tooMany(buckets)) {
        refuse(search, tooManyGaps(buckets));
        return;
      }
    }
    long aggregations = 0;
    if (query.hasAggs()
        && query.aggregations() instanceof DelayableWriteable.Serialized<?> serialized) {
      aggregations = (long) (serialized.ramBytesUsed() * (1 + factor.of(serialized)));
    }
    int count = 0;
    int fields = 0;
    if (!query.isNull() && !query.hasConsumedTopDocs() && query.topDocs() != null) {
      ScoreDoc[] hits = query.topDocs().topDocs.scoreDocs;
      count = hits.length;
      fields = count > 0 && hits[0] instanceof FieldDoc f ? f.fields.length : 0;
    }
    search.received(shard, new Gathering.Answer(aggregations, count, PER_HIT + fields * PER_FIELD));
    check(search);
  }

  private void check(Gathering search) {
    long bytes = search.bytes();
    if (bytes > limits.request()) {
      refuse(search, tooLarge(bytes));
    }
  }

  private CircuitBreakingException tooManyGaps(double buckets) {
    long count = (long) buckets;
    boolean byCount = buckets > maxBuckets.getAsInt();
    return new CircuitBreakingException(
        "[request] a histogram with min_doc_count 0 would fill its gaps with about ["
            + count
            + "] buckets, more than "
            + (byCount
                ? "the ["
                    + maxBuckets.getAsInt()
                    + "] a search may make ["
                    + MultiBucketConsumerService.MAX_BUCKET_SETTING.getKey()
                    + "]"
                : "what fits into the "
                    + HeapShare.of(limits.request(), heap)
                    + " one request may hold ["
                    + limits.requestKey()
                    + "]")
            + "; ask for a wider interval or a shorter range, or for min_doc_count 1",
        (long) Math.min(Long.MAX_VALUE, buckets * GapBuckets.BYTES),
        limits.request(),
        Durability.PERMANENT);
  }

  private CircuitBreakingException tooLarge(long total) {
    return new CircuitBreakingException(
        "[request] the shards' answers to this search take about "
            + HeapShare.of(total, heap)
            + " to reduce, more than the "
            + HeapShare.of(limits.request(), heap)
            + " one request may hold ["
            + limits.requestKey()
            + "]; ask for fewer buckets or hits or fewer shards at once, lower"
            + " batched_reduce_size, or raise the limit",
        total,
        limits.request(),
        Durability.TRANSIENT);
  }

  private void refuse(Gathering search, CircuitBreakingException e) {
    if (search.refusal().compareAndSet(null, e)) {
      refused.increment();
      LOG.warn(
          "stopped a search: {}; it was task {}, {}",
          e.getMessage(),
          search.task().getId(),
          search.task().getDescription());
      search.task().cancel(e.getMessage());
    }
  }

  /** Passes everything on; counts what a shard answered before stock does. */
  private final class Counting<T extends TransportResponse> implements TransportResponseHandler<T> {
    private final TransportResponseHandler<T> in;
    private final Gathering search;
    private final SearchShard shard;

    Counting(TransportResponseHandler<T> in, Gathering search, SearchShard shard) {
      this.in = in;
      this.search = search;
      this.shard = shard;
    }

    @Override
    public T read(StreamInput stream) throws IOException {
      return in.read(stream);
    }

    @Override
    public void handleResponse(T response) {
      if (response instanceof SearchPhaseResult result) {
        received(search, shard, result);
      }
      in.handleResponse(response);
    }

    @Override
    public void handleStreamResponse(StreamTransportResponse<T> response) {
      in.handleStreamResponse(response);
    }

    @Override
    public void handleException(TransportException e) {
      in.handleException(e);
    }

    @Override
    public void handleRejection(Exception e) {
      in.handleRejection(e);
    }

    @Override
    public String executor() {
      return in.executor();
    }

    @Override
    public String toString() {
      return in.toString();
    }
  }
}
