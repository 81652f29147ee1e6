package io.millrace.guard.threads;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.IntConsumer;

/**
 * One pool. Its threads are <em>held</em> when all of them have work, further work waits, and none
 * of them has got anything done since a while: then whatever waits, waits for one of them to end.
 */
final class HeldPool {
  /** How many times as long nothing must wait before threads are taken away again. */
  private static final int CALM = 10;

  private final ThreadPoolExecutor pool;
  private final IntConsumer resize;
  private int own;
  private int widened;
  private long done = -1;
  private long heldSince;
  private long calmSince;

  /**
   * @param resize makes the pool so wide
   */
  HeldPool(ThreadPoolExecutor pool, IntConsumer resize) {
    this.pool = pool;
    this.resize = resize;
  }

  /**
   * Looks at the pool.
   *
   * @param now nanoseconds
   * @param after nanoseconds for which its threads must have been held
   * @param most threads that it may get
   * @return threads that it has now, when it got further ones; 0 otherwise
   */
  synchronized int look(long now, long after, int most) {
    int size = pool.getMaximumPoolSize();
    if (size != widened) {
      own = size; // somebody else has said how wide it is
      widened = 0;
    }
    long completed = pool.getCompletedTaskCount();
    boolean waits = !pool.getQueue().isEmpty();
    if (!waits || completed != done || pool.getActiveCount() < size) {
      done = completed;
      heldSince = now;
      calm(now, after, waits);
      return 0;
    }
    calmSince = now;
    if (now - heldSince < after || size >= most) {
      return 0;
    }
    heldSince = now;
    widen(Math.min(most, 2 * size));
    return widened;
  }

  private void calm(long now, long after, boolean waits) {
    if (widened == 0 || waits) {
      calmSince = now;
    } else if (now - calmSince > CALM * after) {
      calmSince = now;
      int busy = Math.max(own, pool.getActiveCount());
      if (busy < widened) {
        widen(busy);
      }
    }
  }

  private void widen(int size) {
    resize.accept(size);
    widened = size == own ? 0 : size;
  }

  /** Gives it back the width that it had. */
  synchronized void restore() {
    if (widened != 0 && pool.getMaximumPoolSize() == widened) {
      widen(own);
    }
  }

  /** Threads beyond its own. */
  synchronized int further() {
    return widened == 0 ? 0 : widened - own;
  }
}
