package io.millrace.guard.bodies;

import io.millrace.guard.heap.HeapView;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.rest.RestStatus;

/**
 * What the bodies take that are maps and lists now, or are about to be: each within the limit of
 * one request, all of them within twice that.
 */
public final class ParsedBodies {
  private static final int TOGETHER = 2;

  /** The part of the limit up to which a body goes on while the heap is full. */
  private static final int SMALL = 10;

  private final Limits limits;
  private final HeapView heap;
  private final AtomicLong held = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  /**
   * The limits that bodies share with the rest of a request.
   *
   * @param request bytes that one request may hold
   * @param requestKey the setting of that name
   * @param shed bytes that outlived the last collection above which no large body is parsed
   * @param shedKey the setting of that name
   */
  public record Limits(LongSupplier request, String requestKey, LongSupplier shed, String shedKey) {
    /** A body that is certainly so small that nothing has to be counted, bytes. */
    long uncounted() {
      return request.getAsLong() / ParsedForm.WORST / SMALL;
    }
  }

  /** Bodies within these limits. */
  public ParsedBodies(Limits limits, HeapView heap) {
    this.limits = limits;
    this.heap = heap;
  }

  Limits limits() {
    return limits;
  }

  /** Estimated bytes of all bodies that are parsed now. */
  public long held() {
    return held.get();
  }

  /** Requests that were refused. */
  public long refused() {
    return refused.sum();
  }

  /** Counts a request that was refused for another reason. */
  void refuse() {
    refused.increment();
  }

  /**
   * Counts a body until the request is answered.
   *
   * @param what the body, as it is named to the client
   * @param length bytes of it
   * @param form what it takes when it is parsed, bytes
   * @return gives it back, once
   * @throws OpenSearchException 413 where it is too much for any time, 429 where it is for now
   */
  Releasable take(String what, long length, long form) {
    long limit = limits.request().getAsLong();
    if (form > limit) {
      throw tooLarge(what, length, form, limit);
    }
    long together = held.addAndGet(form);
    long outlived = heap.bytes();
    boolean full = outlived > limits.shed().getAsLong() && form > limit / SMALL;
    if (full || together > TOGETHER * limit && together > form) {
      held.addAndGet(-form);
      throw full ? heapFull(what, form, outlived) : tooMany(what, form, together, limit);
    }
    AtomicBoolean given = new AtomicBoolean();
    return () -> {
      if (given.compareAndSet(false, true)) {
        held.addAndGet(-form);
      }
    };
  }

  private OpenSearchStatusException tooLarge(String what, long length, long form, long limit) {
    refused.increment();
    return new OpenSearchStatusException(
        "[request] {} of [{}] becomes maps and lists of about {}, more than the {} one request may"
            + " hold [{}]; send less in one request, fewer and smaller objects in the lists of one"
            + " document, or raise the limit",
        RestStatus.REQUEST_ENTITY_TOO_LARGE,
        what,
        new ByteSizeValue(length),
        share(form),
        share(limit),
        limits.requestKey());
  }

  private CircuitBreakingException tooMany(String what, long form, long together, long limit) {
    refused.increment();
    return new CircuitBreakingException(
        "[request] "
            + what
            + " becomes maps and lists of about "
            + share(form)
            + ", and with those of other requests about "
            + share(together)
            + ", more than the "
            + share(TOGETHER * limit)
            + " that twice the limit of one allows ["
            + limits.requestKey()
            + "]; try again later, send less in one request, or raise the limit",
        together,
        TOGETHER * limit,
        Durability.TRANSIENT);
  }

  private CircuitBreakingException heapFull(String what, long form, long outlived) {
    refused.increment();
    return new CircuitBreakingException(
        "[request] "
            + what
            + " becomes maps and lists of about "
            + share(form)
            + " while "
            + share(outlived)
            + " survived the last collection, more than ["
            + limits.shedKey()
            + "] allows for large bodies; try again later, or send less in one request",
        form,
        limits.shed().getAsLong(),
        Durability.TRANSIENT);
  }

  private String share(long bytes) {
    return new ByteSizeValue(bytes)
        + " ("
        + Math.round(1000.0 * bytes / heap.max()) / 10.0
        + " % of the heap)";
  }
}
