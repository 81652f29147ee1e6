package io.millrace.guard.templates;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;

/** What the texts of templates take on this node, and whether there may be more of them. */
final class TextLedger {
  /**
   * Bytes for each character of a text: twice while the buffer grows, once as a text, and what is
   * parsed from it or kept of it until the request is answered. An assumption.
   */
  static final int PER_CHARACTER = 5;

  private final TextLimits limits;
  private final AtomicLong all = new AtomicLong();
  final LongAdder refused = new LongAdder();

  TextLedger(TextLimits limits) {
    this.limits = limits;
  }

  /** Bytes of all requests. */
  long held() {
    return all.get();
  }

  TextLimits limits() {
    return limits;
  }

  /** What one request writes begins here. */
  RenderedText open() {
    return new RenderedText(this);
  }

  /**
   * Counts more, or less.
   *
   * @param own bytes of the request with what is added
   * @throws CircuitBreakingException when that is too much; it is counted all the same
   */
  void add(long bytes, long own) {
    long together = all.addAndGet(bytes);
    if (bytes <= 0) {
      return;
    }
    long limit = limits.request.value().getBytes();
    if (own > limit) {
      throw tooLong(own, "", limit, limits.request.key(), Durability.PERMANENT);
    }
    long most = limits.together.value().getBytes();
    if (together > most && together > own) {
      throw tooLong(
          together,
          " and of others at the same time",
          most,
          limits.together.key(),
          Durability.TRANSIENT);
    }
  }

  /** The templates of a request would write a text that is certainly too long. */
  CircuitBreakingException tooLong(long bytes) {
    return tooLong(
        bytes, "", limits.request.value().getBytes(), limits.request.key(), Durability.PERMANENT);
  }

  private CircuitBreakingException tooLong(
      long bytes, String whose, long limit, String key, Durability durability) {
    refused.increment();
    return new CircuitBreakingException(
        "[template-limit] the templates of this request"
            + whose
            + " write a text of ["
            + bytes / PER_CHARACTER
            + "] characters and more, which takes about ["
            + new ByteSizeValue(bytes)
            + "], more than ["
            + new ByteSizeValue(limit)
            + "] as ["
            + key
            + "] allows; "
            + (durability == Durability.TRANSIENT ? "try again later, " : "")
            + "loop over shorter lists, put no loop inside another, send fewer templates in one"
            + " request, or raise the limit",
        bytes,
        limit,
        durability);
  }

  /** The templates of a request have been at work for too long. */
  OpenSearchRejectedExecutionException tooSlow(long nanos) {
    refused.increment();
    return new OpenSearchRejectedExecutionException(
        "[template-limit] the templates of this request have been at work for ["
            + TimeValue.timeValueNanos(nanos)
            + "], longer than ["
            + limits.time.value()
            + "] as ["
            + limits.time.key()
            + "] allows; loop over shorter lists, put no loop inside another, or raise the limit");
  }
}
