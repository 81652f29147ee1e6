package io.millrace.guard.breaker;

import io.millrace.guard.breaker.SearchMemory.Estimate;
import io.millrace.guard.heap.LiveHeap;
import io.millrace.guard.transport.Refusals;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.tasks.CancellableTask;

/**
 * Every search that runs on this node with what it holds, and the one place that decides which of
 * them has to go.
 *
 * <p>Judged by whoever looks first: the requests' own threads at their check points (at most every
 * {@link SearchMemory#PACE}), and {@link LedgerWatch} for requests that are between check points.
 * One request goes at a time, the one that holds most.
 */
final class SearchLedger {
  private static final Logger LOG = LogManager.getLogger(SearchLedger.class);

  /** What had outlived collections, and what all threads had allocated, lately. */
  private record Start(long nanos, long live, long all) {}

  private final RequestLimits limits;
  private final LiveHeap heap;
  private final Allocations allocations;
  private final AfterRefusal afterRefusal;
  private final Set<SearchMemory> searches = ConcurrentHashMap.newKeySet();
  private final Map<Long, SearchMemory> threads = new ConcurrentHashMap<>();
  private final Refusals refusals = new Refusals();
  private final ReentrantLock judging = new ReentrantLock();
  private volatile @Nullable Start start;
  private long collectionsToWaitFor;

  final LongAdder refusedForLimit = new LongAdder();
  final LongAdder refusedForHeap = new LongAdder();

  SearchLedger(
      RequestLimits limits, LiveHeap heap, Allocations allocations, AfterRefusal afterRefusal) {
    this.limits = limits;
    this.heap = heap;
    this.allocations = allocations;
    this.afterRefusal = afterRefusal;
  }

  Allocations allocations() {
    return allocations;
  }

  long heapMax() {
    return heap.max();
  }

  RequestLimits limits() {
    return limits;
  }

  /** Stops searches, and tells why in their answers. */
  Refusals refusals() {
    return refusals;
  }

  SearchMemory open(@Nullable CancellableTask task, Supplier<String> source) {
    Start start = start();
    SearchMemory memory = new SearchMemory(this, task, source, start.live, start.all);
    searches.add(memory);
    return memory;
  }

  /** Asking the JVM takes longer than a light search should pay; searches that begin share it. */
  private Start start() {
    Start latest = start;
    long now = System.nanoTime();
    if (latest == null || now - latest.nanos > SearchMemory.PACE) {
      latest = new Start(now, heap.bytes(), allocations.total());
      start = latest;
    }
    return latest;
  }

  void close(SearchMemory memory) {
    searches.remove(memory);
    memory.leave();
  }

  void working(long threadId, SearchMemory memory) {
    threads.put(threadId, memory);
  }

  void done(long threadId, SearchMemory memory) {
    threads.remove(threadId, memory);
  }

  /** The phase for which the calling thread works now. */
  @Nullable SearchMemory ofThread() {
    return threads.get(Thread.currentThread().threadId());
  }

  /** Requests that run now. */
  int size() {
    return searches.size();
  }

  /** Whether a stopped request has not ended yet. */
  boolean leaving() {
    return searches.stream().anyMatch(SearchMemory::refused);
  }

  /** Bytes that all of them are estimated to hold now. */
  long held() {
    long live = heap.bytes();
    long all = allocations.total();
    long bytes = 0;
    for (SearchMemory memory : searches) {
      bytes += memory.estimate(live, all).bytes();
    }
    return bytes;
  }

  /** Stops the request that holds most, when it has to be; at once when nobody else is judging. */
  void judge() {
    if (!judging.tryLock()) {
      return;
    }
    try {
      long live = heap.bytes();
      long all = allocations.total();
      SearchMemory largest = null;
      Estimate most = new Estimate(0, 0);
      long together = 0;
      boolean leaving = false;
      for (SearchMemory memory : searches) {
        if (memory.refused()) {
          leaving = true;
          continue;
        }
        Estimate estimate = memory.estimate(live, all);
        together += estimate.bytes();
        if (estimate.bytes() > most.bytes()) {
          largest = memory;
          most = estimate;
        }
      }
      if (largest == null) {
        return;
      }
      long limit = limits.request();
      if (most.declared() > limit || (most.measured() > limit && live > limits.spare())) {
        refuse(largest, "holds", most.bytes(), live, true);
      } else if (live > limits.shed()
          && helps(most.bytes(), together, limit)
          && !leaving
          && heap.collections() >= collectionsToWaitFor) {
        refuse(largest, "holds", most.bytes(), live, false);
      }
    } finally {
      judging.unlock();
    }
  }

  /** Whether the node gains by the end of the largest, or of one after the other. */
  private static boolean helps(long largest, long together, long limit) {
    return largest > limit / 2 || together > limit;
  }

  /** Stops a request that is about to take more than it may, unless it was stopped already. */
  void refusePledge(SearchMemory memory, long bytes) {
    judging.lock();
    try {
      if (!memory.refused()) {
        refuse(memory, "is about to hold", bytes, heap.bytes(), true);
      }
    } finally {
      judging.unlock();
    }
  }

  private void refuse(SearchMemory memory, String holds, long bytes, long live, boolean own) {
    long max = heap.max();
    long limit = own ? limits.request() : limits.shed();
    String message =
        own
            ? "[request] the search "
                + holds
                + " about "
                + HeapShare.of(bytes, max)
                + ", more than the "
                + HeapShare.of(limit, max)
                + " one request may hold ["
                + limits.requestKey()
                + "]; ask for fewer buckets, hits per bucket or collected values, narrow the query,"
                + " or raise the limit"
            : "[request] "
                + HeapShare.of(live, max)
                + " survived the last collection, more than "
                + HeapShare.of(limit, max)
                + " ["
                + limits.shedKey()
                + "], and this search holds most of all that run, about "
                + HeapShare.of(bytes, max)
                + "; try again later, or ask for less at once";
    (own ? refusedForLimit : refusedForHeap).increment();
    collectionsToWaitFor = heap.collections() + 1;
    afterRefusal.refused(bytes);
    memory.refuse(
        new CircuitBreakingException(message, own ? bytes : live, limit, Durability.TRANSIENT));
    LOG.warn("stopped a search: {}; it was {}", message, memory.source());
  }
}
