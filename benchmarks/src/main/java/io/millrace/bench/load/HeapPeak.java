package io.millrace.bench.load;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The most that the old generation of a node holds, seen twice a second until it is closed. */
public final class HeapPeak implements AutoCloseable {
  private static final long MILLIS = 500;

  private final NodeClient node;
  private final AtomicLong most = new AtomicLong();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("bench-heap").factory());

  public HeapPeak(NodeClient node) {
    this.node = node;
    var unused = timer.scheduleAtFixedRate(this::look, 0, MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    most.accumulateAndGet(
        node.get("/_nodes/_local/stats/jvm")
            .path("nodes")
            .iterator()
            .next()
            .at("/jvm/mem/pools/old/used_in_bytes")
            .asLong(),
        Math::max);
  }

  /** Bytes so far. */
  public long bytes() {
    return most.get();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
