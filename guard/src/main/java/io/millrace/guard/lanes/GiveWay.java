package io.millrace.guard.lanes;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Keeps searches that are not light to a share of the processors while writes and light searches
 * want them too. A place is not enough for that: two heavy searches and two writers on two
 * processors get half of them each, and a writer keeps half of what it wrote alone.
 *
 * <p>Such a search rests at its check points, in proportion to the CPU time that it used before. It
 * goes on at once when no more threads want to work than there are processors.
 */
final class GiveWay {
  /** From one look at whether the processors are wanted to the next. */
  private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);

  private final IntSupplier percent;
  private final IntSupplier running;
  private final IntSupplier sharing;
  private final long longestNanos;
  private final AtomicInteger resting = new AtomicInteger();
  private volatile IntSupplier writing = () -> 0;
  private volatile int processors = 1;

  final LongAdder rests = new LongAdder();
  final LongAdder restedNanos = new LongAdder();

  /**
   * @param percent of the processors' time that those who give way get together
   * @param running searches of shards that have begun and are not paused
   * @param sharing how many of them give way
   * @param longestNanos of one rest, however long the search passed no check point
   */
  GiveWay(IntSupplier percent, IntSupplier running, IntSupplier sharing, long longestNanos) {
    this.percent = percent;
    this.running = running;
    this.sharing = sharing;
    this.longestNanos = longestNanos;
  }

  /**
   * @param writing threads that write now
   */
  void open(int processors, IntSupplier writing) {
    this.processors = processors;
    this.writing = writing;
  }

  /** Searches that rest now. */
  int restingNow() {
    return resting.get();
  }

  /**
   * Holds the calling thread while others want the processors, for as long as the share asks.
   *
   * @param answerWanted whether somebody still waits for the search
   * @param cpuNanos CPU time that the search used since it was here last
   * @return whether it rested so long; otherwise the processors were free, or it had to end
   */
  boolean rest(BooleanSupplier answerWanted, long cpuNanos) {
    long due = due(cpuNanos);
    if (due <= 0 || !wanted(resting.get())) {
      return false;
    }
    long began = System.nanoTime();
    long rested = 0;
    resting.incrementAndGet();
    try {
      while (rested < due
          && wanted(resting.get() - 1)
          && answerWanted.getAsBoolean()
          && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(Math.min(STEP, due - rested));
        rested = System.nanoTime() - began;
      }
      return rested >= due;
    } finally {
      resting.decrementAndGet();
      rests.increment();
      restedNanos.add(System.nanoTime() - began);
    }
  }

  /** How long it rests for what it used, in nanoseconds. */
  long due(long cpuNanos) {
    double duty = percent.getAsInt() / 100.0 * processors / Math.max(1, sharing.getAsInt());
    return duty >= 1 ? 0 : Math.min(longestNanos, (long) (cpuNanos * (1 / duty - 1)));
  }

  /** Whether more threads want to work, among them the calling one, than there are processors. */
  private boolean wanted(int others) {
    return writing.getAsInt() + running.getAsInt() - others > processors;
  }
}
