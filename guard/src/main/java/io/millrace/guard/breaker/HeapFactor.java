package io.millrace.guard.breaker;

import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.common.io.stream.DelayableWriteable;

/**
 * How many bytes of objects one byte of serialized aggregations becomes, learned by reading one
 * answer in {@value #EVERY} (64 KiB to 1 MiB) back and counting what the thread allocated.
 *
 * <p>Smaller ones tell nothing; larger ones are not read back here: answers come in on the
 * transport's event loops (SearchTransportService#registerRequestHandler at 3.8.0), and a loop that
 * reads 50 MB of aggregations serves nobody and doubles what they take.
 */
final class HeapFactor {
  private static final int EVERY = 32;
  private static final long WORTH = 64 * 1024;
  private static final long MOST = 1024 * 1024;
  private static final double WEIGHT = 0.2;

  private final Allocations allocations;
  private final AtomicLong answers = new AtomicLong();
  private volatile double factor = 3;

  HeapFactor(Allocations allocations) {
    this.allocations = allocations;
  }

  double of(DelayableWriteable.Serialized<?> serialized) {
    long size = serialized.ramBytesUsed();
    if (size >= WORTH && size <= MOST && answers.getAndIncrement() % EVERY == 0) {
      long id = Thread.currentThread().threadId();
      long before = allocations.of(id);
      serialized.expand();
      learned(allocations.of(id) - before, size);
    }
    return factor;
  }

  /** Adds one sample: what a number of serialized bytes became as objects, both in bytes. */
  synchronized void learned(long objects, long serialized) {
    double seen = Math.max(1, Math.min(50, objects / (double) serialized));
    factor += WEIGHT * (seen - factor);
  }

  double value() {
    return factor;
  }
}
