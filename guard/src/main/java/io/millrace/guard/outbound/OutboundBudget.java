package io.millrace.guard.outbound;

import io.millrace.kernel.settings.Switch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.common.unit.TimeValue;

/**
 * The bytes of responses that wait to be written by one node, their limits and what was counted.
 *
 * <p>Counted from the moment a response is handed to the connection, so that one which waits behind
 * an earlier, pipelined one counts too, until its last byte is with the kernel or it failed.
 */
public final class OutboundBudget {
  private final Switch enabled;
  private final AtomicLong pending = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final LongAdder stalledReaders = new LongAdder();
  private final LongAdder pressedOut = new LongAdder();
  private final LongAdder pipelineWaits = new LongAdder();
  private volatile long limit = Long.MAX_VALUE;
  private volatile int pipelining = OutboundLimits.PIPELINING;
  private volatile long floorRate = OutboundLimits.FLOOR_RATE;
  private volatile TimeValue stall = OutboundLimits.STALL;
  private volatile TimeValue pressedStall = OutboundLimits.PRESSED_STALL;

  /** A budget without a limit until one is set. */
  public OutboundBudget(Switch enabled) {
    this.enabled = enabled;
  }

  /** Whether readers are watched now. */
  public boolean on() {
    return enabled.on();
  }

  /** Counts bytes in that wait to be written. */
  public void add(long bytes) {
    long now = pending.addAndGet(bytes);
    if (now > peak.get()) {
      peak.accumulateAndGet(now, Math::max);
    }
  }

  /** Counts bytes out: written, or given up. */
  public void remove(long bytes) {
    pending.addAndGet(-bytes);
  }

  /** Whether more waits than may. */
  public boolean exceeded() {
    return pending.get() > limit;
  }

  /** How long a reader may make no progress, or too little, as things stand. */
  public TimeValue patience() {
    return exceeded() ? pressedStall : stall;
  }

  /** Bytes per second below which a reader is closed; with 0 only one that takes nothing. */
  public long floorRate() {
    return floorRate;
  }

  /** Requests of one connection that may be in progress at once. */
  public int pipelining() {
    return pipelining;
  }

  void limit(long bytes) {
    limit = bytes;
  }

  void pipelining(int requests) {
    pipelining = requests;
  }

  void floorRate(long bytesPerSecond) {
    floorRate = bytesPerSecond;
  }

  void stall(TimeValue time) {
    stall = time;
  }

  void pressedStall(TimeValue time) {
    pressedStall = time;
  }

  /** A connection was closed because its peer read too little. */
  public void countStalledReader(boolean pressed) {
    (pressed ? pressedOut : stalledReaders).increment();
  }

  /** A request waited for earlier ones of its connection. */
  public void countPipelineWait() {
    pipelineWaits.increment();
  }

  /** Bytes that wait to be written. */
  public long pending() {
    return pending.get();
  }

  /** The most bytes that waited at once since the start. */
  public long peak() {
    return peak.get();
  }

  /** Bytes that may wait to be written. */
  public long limit() {
    return limit;
  }

  /** Connections closed because their peer read too little over the whole time-out. */
  public long stalledReaders() {
    return stalledReaders.sum();
  }

  /** Connections closed sooner, because more waited than may. */
  public long pressedOut() {
    return pressedOut.sum();
  }

  /** Requests that waited for earlier ones of their connection. */
  public long pipelineWaits() {
    return pipelineWaits.sum();
  }
}
