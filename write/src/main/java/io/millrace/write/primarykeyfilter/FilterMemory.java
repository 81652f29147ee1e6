package io.millrace.write.primarykeyfilter;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * What all filters of a node take together: bounded by a setting and counted against OpenSearch's
 * {@code fielddata} circuit breaker, the one for memory of segments that stays, and with it against
 * the parent breaker.
 */
final class FilterMemory {
  static final String LABEL = "millrace_primary_key_filter";

  private final LongSupplier limit;
  private final AtomicLong used = new AtomicLong();

  /**
   * @param limit bytes for the node, asked each time because it may change
   */
  FilterMemory(LongSupplier limit) {
    this.limit = limit;
  }

  /** Bytes that all filters of the node hold. */
  long used() {
    return used.get();
  }

  /** The share of one filter; ends with {@link Share#release}. */
  final class Share {
    private final CircuitBreaker breaker;
    private long held;
    private boolean released;

    Share(CircuitBreaker breaker) {
      this.breaker = breaker;
    }

    /** Takes bytes, or takes nothing and says no. */
    synchronized boolean reserve(long bytes) {
      if (released) {
        return false;
      }
      if (used.addAndGet(bytes) > limit.getAsLong()) {
        used.addAndGet(-bytes);
        return false;
      }
      try {
        breaker.addEstimateBytesAndMaybeBreak(bytes, LABEL);
      } catch (CircuitBreakingException e) {
        used.addAndGet(-bytes);
        return false;
      }
      held += bytes;
      return true;
    }

    /** Gives everything back, once; nothing can be reserved afterwards. */
    synchronized void release() {
      if (!released) {
        released = true;
        used.addAndGet(-held);
        breaker.addWithoutBreaking(-held);
      }
    }
  }
}
