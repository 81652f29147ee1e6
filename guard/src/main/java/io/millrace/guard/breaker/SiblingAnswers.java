package io.millrace.guard.breaker;

import io.millrace.guard.heap.HeapView;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.InternalAggregations;

/**
 * Answers of the searches of one request ({@code _msearch}, templates, rank evaluation) that wait
 * for their siblings.
 *
 * <p>Stock keeps each of them until the last has come (TransportMultiSearchAction#executeSearch at
 * 3.8.0) and charges none to a breaker: 500 searches for 10,000 hits are 5 million hits, each of
 * them within every limit of a search. They are counted with their parent, twice: as objects, and
 * as the text that is made of them before the objects go.
 */
final class SiblingAnswers {
  private static final long PER_HIT = 700;
  private static final int COPIES = 2;

  private final RequestLimits limits;
  private final HeapFactor factor;
  private final HeapView heap;
  private final Map<TaskId, AtomicLong> families = new ConcurrentHashMap<>();
  private final AtomicLong all = new AtomicLong();
  final LongAdder refused = new LongAdder();

  SiblingAnswers(RequestLimits limits, HeapFactor factor, HeapView heap) {
    this.limits = limits;
    this.factor = factor;
    this.heap = heap;
  }

  /** Bytes that wait in all requests together. */
  long held() {
    return all.get();
  }

  /** Requests of which answers may wait. */
  int size() {
    return families.size();
  }

  /**
   * A request begins whose searches will be counted together until its answer has been handed on.
   *
   * @param asked what the searches themselves take, bytes
   */
  <T> ActionListener<T> parent(TaskId parent, long asked, ActionListener<T> listener) {
    families.put(parent, new AtomicLong(asked));
    all.addAndGet(asked);
    return ActionListener.runAfter(
        listener,
        () -> {
          AtomicLong held = families.remove(parent);
          if (held != null) {
            all.addAndGet(-held.get());
          }
        });
  }

  /** Why a further search of this request may not begin; {@code null} when it may. */
  @Nullable CircuitBreakingException refusal(TaskId parent) {
    AtomicLong held = families.get(parent);
    return held == null ? null : refusal(held.get());
  }

  private @Nullable CircuitBreakingException refusal(long held) {
    long limit = limits.request();
    boolean own = held > limit;
    long together = all.get();
    if (!own && together <= 2 * limit) {
      return null;
    }
    refused.increment();
    return new CircuitBreakingException(
        "[request] the searches of "
            + (own ? "this request" : "all requests that hold several")
            + " and their answers, which wait for one another, take about "
            + HeapShare.of(own ? held : together, heap.max())
            + ", more than the "
            + HeapShare.of(own ? limit : 2 * limit, heap.max())
            + (own ? " one request may hold [" : " that twice the limit of one allows [")
            + limits.requestKey()
            + "]; send fewer searches at once, ask for fewer hits in each, or raise the limit",
        own ? held : together,
        limit,
        Durability.TRANSIENT);
  }

  /**
   * Counts the answer of one of the searches, or puts the refusal in its place. One that has no
   * siblings is counted while it is written.
   */
  <T> ActionListener<T> child(TaskId parent, ActionListener<T> listener) {
    AtomicLong held = families.get(parent);
    if (held == null) {
      return ActionListener.wrap(response -> write(response, listener), listener::onFailure);
    }
    return ActionListener.wrap(
        response -> {
          long bytes = response instanceof SearchResponse search ? COPIES * size(search) : 0;
          // a parent that ended meanwhile waits for nothing
          CircuitBreakingException full = null;
          if (bytes > 0 && families.containsKey(parent)) {
            all.addAndGet(bytes);
            full = refusal(held.addAndGet(bytes));
            if (full != null) {
              held.addAndGet(-bytes);
              all.addAndGet(-bytes);
            }
          }
          if (full == null) {
            listener.onResponse(response);
          } else {
            listener.onFailure(full);
          }
        },
        listener::onFailure);
  }

  /**
   * Counts an answer while its text is made of it, which is over when the listener returns. Four
   * answers of 10,000 hits with highlights, each within the limit of a search, are 400 MB twice.
   * Where the heap has room for that, nobody is refused.
   */
  private <T> void write(T response, ActionListener<T> listener) {
    long bytes = response instanceof SearchResponse search ? COPIES * hits(search) : 0;
    long together = all.addAndGet(bytes);
    try {
      if (together <= COPIES * limits.request() || together == bytes || fits(together)) {
        listener.onResponse(response);
        return;
      }
    } finally {
      all.addAndGet(-bytes);
    }
    refused.increment();
    listener.onFailure(
        new CircuitBreakingException(
            "[request] the hits of this search take about "
                + HeapShare.of(bytes, heap.max())
                + " while they are written, and those of all searches together "
                + HeapShare.of(together, heap.max())
                + ", more than the "
                + HeapShare.of(COPIES * limits.request(), heap.max())
                + " that twice the limit of one request allows ["
                + limits.requestKey()
                + "], and with what else is in the heap more than ["
                + limits.shedKey()
                + "]; try again, ask for fewer hits or less of each, or raise the limit",
            together,
            COPIES * limits.request(),
            Durability.TRANSIENT));
  }

  /** Whether there is memory for so much, whatever the limit says. */
  private boolean fits(long bytes) {
    return heap.bytes() < limits.shed() - bytes;
  }

  private static long hits(SearchResponse response) {
    long bytes = PER_HIT;
    for (SearchHit hit : response.getHits()) {
      bytes += FetchedHits.size(hit);
    }
    return bytes;
  }

  private long size(SearchResponse response) {
    long bytes = hits(response);
    if (response.getAggregations() instanceof InternalAggregations aggregations) {
      bytes += (long) (aggregations.getSerializedSize() * factor.value());
    }
    return bytes;
  }
}
