package io.millrace.guard.inbound;

import io.millrace.kernel.settings.Switch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.common.unit.TimeValue;

/**
 * The budgets of request bodies of one node, their limits and what was counted.
 *
 * <p>Two budgets, so that a few large uploads cannot keep every small bulk and search waiting.
 * Connections ask on their event loops through a {@link Reservation}; see there for what is charged
 * when.
 */
public final class InboundBudget {
  /** Bodies up to this size are not budgeted: a probe is answered however full the node is. */
  public static final long FREE = 4096;

  private final Switch enabled;
  private final ByteBudget small;
  private final ByteBudget large;
  private volatile long smallBody = InboundLimits.SMALL_BODY;
  private volatile TimeValue maxWait = InboundLimits.MAX_WAIT;
  private volatile long floorRate = InboundLimits.FLOOR_RATE;
  private volatile TimeValue floorWindow = InboundLimits.FLOOR_WINDOW;

  /** Held of the small budget by bodies that have outgrown it and wait for the large one. */
  private final AtomicLong outgrown = new AtomicLong();

  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final LongAdder slowSenders = new LongAdder();

  /** Budgets that refuse nothing until limits are set. */
  public InboundBudget(Switch enabled) {
    this.enabled = enabled;
    this.small = new ByteBudget(Long.MAX_VALUE, System::nanoTime);
    this.large = new ByteBudget(Long.MAX_VALUE, System::nanoTime);
  }

  /** Whether bodies are budgeted now. */
  public boolean on() {
    return enabled.on();
  }

  /** The budget of bodies of at most {@link #smallBody} bytes. */
  public ByteBudget small() {
    return small;
  }

  /** The budget of larger bodies. */
  public ByteBudget large() {
    return large;
  }

  /** The largest body that counts as small, in bytes. */
  public long smallBody() {
    return smallBody;
  }

  /** How long a body may wait for its budget before it is refused. */
  public TimeValue maxWait() {
    return maxWait;
  }

  /** Bytes per second below which a sender is closed; 0 closes nobody. */
  public long floorRate() {
    return floorRate;
  }

  /** Over which time a sender's rate is taken. */
  public TimeValue floorWindow() {
    return floorWindow;
  }

  void smallBody(long bytes) {
    smallBody = bytes;
  }

  void maxWait(TimeValue time) {
    maxWait = time;
  }

  void floorRate(long bytesPerSecond) {
    floorRate = bytesPerSecond;
  }

  void floorWindow(TimeValue time) {
    floorWindow = time;
  }

  /**
   * Counts bytes of the small budget that a body which outgrew it begins to hold, or holds no
   * longer.
   */
  void outgrown(long bytes) {
    outgrown.addAndGet(bytes);
  }

  /**
   * Whether bodies that have outgrown the small budget, and find no room in the large one, hold
   * more than half of it while small bodies wait for bytes.
   */
  boolean outgrownAreInTheWay() {
    return outgrown.get() > small.limit() / 2 && small.newOnesWaitForBytes();
  }

  /** A body began to wait. */
  public void countWait() {
    waits.increment();
  }

  /** A wait ended, granted or not. */
  public void countWaited(long nanos) {
    waitNanos.add(nanos);
  }

  /** A request was refused with 429. */
  public void countRefusal() {
    refusals.increment();
  }

  /** A connection was closed because its body came too slowly. */
  public void countSlowSender() {
    slowSenders.increment();
  }

  /** Bodies that had to wait. */
  public long waits() {
    return waits.sum();
  }

  /** Time that bodies waited, in nanoseconds. */
  public long waitNanos() {
    return waitNanos.sum();
  }

  /** Requests refused with 429. */
  public long refusals() {
    return refusals.sum();
  }

  /** Connections closed because their body came too slowly. */
  public long slowSenders() {
    return slowSenders.sum();
  }
}
