package io.millrace.guard.debt;

import io.millrace.guard.debt.Debt.Stage;
import io.millrace.guard.heap.HeapView;
import io.millrace.guard.transport.Refusals;
import io.millrace.kernel.settings.Switch;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * Looks twice a second and acts on the debt. A thread of its own, started with the node: when it
 * matters, no pool has a thread to spare and none can be made.
 */
final class DebtCollector {
  private static final Logger LOG = LogManager.getLogger(DebtCollector.class);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

  private final Switch enabled;
  private final DebtLimits limits;
  private final HeapView heap;
  private final RunningSearches searches;
  private final DebtFilter filter;
  private final Refusals refusals;
  private final Debt debt = new Debt();
  private volatile Stage stage = Stage.NONE;
  private volatile long millis;
  private volatile @Nullable Thread thread;
  final LongAdder cancelled = new LongAdder();

  DebtCollector(
      Switch enabled,
      DebtLimits limits,
      HeapView heap,
      RunningSearches searches,
      DebtFilter filter,
      Refusals refusals) {
    this.enabled = enabled;
    this.limits = limits;
    this.heap = heap;
    this.searches = searches;
    this.filter = filter;
    this.refusals = refusals;
  }

  /**
   * Begins to look.
   *
   * @param leave ends the process; does not return outside of tests
   */
  void start(Runnable leave) {
    Thread started = new Thread(() -> run(leave), "millrace-gc-debt");
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  private void run(Runnable leave) {
    long lastAt = System.nanoTime();
    long lastCollecting = heap.collectingMillis();
    while (thread == Thread.currentThread()) {
      LockSupport.parkNanos(PAUSE);
      long now = System.nanoTime();
      try {
        long collecting = heap.collectingMillis();
        boolean full = enabled.on() && heap.bytes() > limits.full() * heap.max();
        act(look((now - lastAt) / 1e6, (double) (collecting - lastCollecting), full), full, leave);
        lastCollecting = collecting;
      } catch (OutOfMemoryError e) {
        if (enabled.on() && stage.compareTo(Stage.CANCEL) >= 0) {
          leave.run();
        }
      } catch (RuntimeException e) {
        LOG.warn("the debt could not be computed; next try in half a second", e);
      }
      lastAt = now;
    }
  }

  /** One look; the stage that follows. */
  Stage look(double elapsed, double collecting, boolean full) {
    millis = Math.round(debt.look(elapsed, collecting, full));
    return debt.stage(limits.shed(), limits.cancel(), limits.leave());
  }

  private void act(Stage next, boolean full, Runnable leave) {
    if (next == Stage.LEAVE && full) {
      leave.run();
    }
    filter.shed(next != Stage.NONE, millis);
    if (next != stage) {
      say(next);
      stage = next;
    }
    if (next.compareTo(Stage.CANCEL) >= 0) {
      SearchShardTask largest = searches.largest();
      if (largest != null) {
        refusals.stop(
            largest,
            new CircuitBreakingException(
                "[gc_debt] the heap is full, the node spent ["
                    + millis
                    + " ms] collecting in vain (["
                    + limits.cancelKey()
                    + "]), and this search allocated most of all that run: try again in some"
                    + " seconds, or ask for less at once",
                millis,
                0,
                Durability.TRANSIENT));
        cancelled.increment();
        LOG.warn("cancelled {} of {}", largest.getDescription(), largest.getParentTaskId());
      }
    }
  }

  private void say(Stage next) {
    String figure =
        String.format(
            Locale.ROOT,
            "%d ms of collecting with more than %.0f %% of the heap alive",
            millis,
            100 * limits.full());
    switch (next) {
      case NONE -> LOG.info("out of debt: heavy requests are served again");
      case SHED -> LOG.warn("in debt, {}: heavy requests are refused with 429", figure);
      case CANCEL -> LOG.warn("in debt, {}: the largest searches are cancelled", figure);
      case LEAVE -> LOG.error("in debt, {}: leaving", figure);
    }
  }

  long millis() {
    return millis;
  }

  /** 0 no debt, 1 sheds, 2 cancels, 3 leaves. */
  long stage() {
    return switch (stage) {
      case NONE -> 0;
      case SHED -> 1;
      case CANCEL -> 2;
      case LEAVE -> 3;
    };
  }

  void stop() {
    Thread running = thread;
    thread = null;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }
}
