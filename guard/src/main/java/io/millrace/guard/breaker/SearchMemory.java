package io.millrace.guard.breaker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.tasks.CancellableTask;

/**
 * What one request holds on this node while one of its phases runs: two estimates, of which the
 * larger counts.
 *
 * <ul>
 *   <li><b>declared</b>: what its aggregation tree keeps for the buckets made so far, but never
 *       more than its threads have allocated; or what it has pledged, where it is certain that this
 *       much will be allocated. Known at once, without a collection.
 *   <li><b>measured</b>: the growth of the heap that outlived collections since the request began,
 *       in proportion to its part of all allocation, but never more than it allocated. Needs no
 *       knowledge of what the request does; true once a collection has run.
 * </ul>
 */
final class SearchMemory {
  /** How often one request's check points look, nanoseconds. */
  static final long PACE = 5_000_000;

  private final SearchLedger ledger;
  private final @Nullable CancellableTask task;
  private final Supplier<String> source;
  private final long owner = Thread.currentThread().threadId();
  private volatile long floor;
  private final long allAtStart;
  private final Map<Long, Long> threads = new ConcurrentHashMap<>();
  private final AtomicLong finished = new AtomicLong();
  private final AtomicLong declared = new AtomicLong();
  private final AtomicLong pledged = new AtomicLong();
  private final AtomicLong nextLook = new AtomicLong(System.nanoTime() + PACE);
  private volatile @Nullable CircuitBreakingException refusal;

  SearchMemory(
      SearchLedger ledger,
      @Nullable CancellableTask task,
      Supplier<String> source,
      long liveAtStart,
      long allAtStart) {
    this.ledger = ledger;
    this.task = task;
    this.source = source;
    this.floor = liveAtStart;
    this.allAtStart = allAtStart;
  }

  /**
   * The calling thread works for this request from here on; without effect when it does already.
   */
  void enter() {
    long id = Thread.currentThread().threadId();
    if (!threads.containsKey(id)) {
      threads.put(id, ledger.allocations().of(id)); // no other thread puts this one there
    }
    ledger.working(id, this);
  }

  /** The calling thread is done; the one that opened this stays until the end. */
  void exit() {
    long id = Thread.currentThread().threadId();
    if (id == owner) {
      return;
    }
    Long start = threads.remove(id);
    ledger.done(id, this);
    if (start != null) {
      finished.addAndGet(ledger.allocations().of(id) - start);
    }
  }

  /** The phase is over for all its threads. */
  void leave() {
    threads.keySet().forEach(id -> ledger.done(id, this));
  }

  /** Adds what the request is known to keep; the next check point waits no more if it is much. */
  void declare(long bytes) {
    if (declared.addAndGet(bytes) > ledger.limits().request()) {
      nextLook.set(System.nanoTime());
    }
  }

  long declared() {
    return declared.get();
  }

  /**
   * Adds what the request is about to allocate for certain, and keep.
   *
   * @throws CircuitBreakingException when that is more than a request may hold
   */
  void pledge(long bytes) {
    long all = pledged.addAndGet(bytes);
    if (all > ledger.limits().request()) {
      ledger.refusePledge(this, all);
    }
    throwIfRefused();
  }

  /** Bytes its threads have allocated since they began. */
  long allocated() {
    long bytes = finished.get();
    for (Map.Entry<Long, Long> thread : threads.entrySet()) {
      bytes += Math.max(0, ledger.allocations().of(thread.getKey()) - thread.getValue());
    }
    return bytes;
  }

  /**
   * @param live bytes that outlived a collection, now
   * @param all bytes allocated by all threads, now
   */
  Estimate estimate(long live, long all) {
    long allocated = allocated();
    // what had outlived collections at the start may have been garbage
    if (live < floor) {
      floor = live;
    }
    long growth = live - floor;
    double part = Math.min(1, allocated / (double) Math.max(1, all - allAtStart));
    return new Estimate(
        Math.max(Math.min(declared.get(), allocated), pledged.get()),
        Math.min(allocated, (long) (growth * part)));
  }

  /** Both estimates, bytes. */
  record Estimate(long declared, long measured) {
    long bytes() {
      return Math.max(declared, measured);
    }
  }

  /**
   * A check point: called often by the threads of the request.
   *
   * @throws CircuitBreakingException when the request was refused
   */
  void look() {
    throwIfRefused();
    long due = nextLook.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextLook.compareAndSet(due, now + PACE)) {
      ledger.judge();
      throwIfRefused();
    }
  }

  void throwIfRefused() {
    CircuitBreakingException e = refusal;
    if (e != null) {
      // a new one: its stack tells where the request was stopped, and one is thrown per thread
      throw new CircuitBreakingException(
          e.getMessage(), e.getBytesWanted(), e.getByteLimit(), e.getDurability());
    }
  }

  /** Stops the request: its next check point throws, and stock's checks see a cancelled task. */
  void refuse(CircuitBreakingException e) {
    refusal = e;
    if (task != null) {
      ledger.refusals().stop(task, e);
    }
  }

  boolean refused() {
    return refusal != null;
  }

  @Nullable CircuitBreakingException refusal() {
    return refusal;
  }

  /** What it is, for the log. */
  String source() {
    return source.get();
  }
}
