package io.millrace.guard.breaker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Judges ten times a second, for searches that are between check points (fetching, building
 * results). A thread of its own: the node's pools may be full when it matters.
 */
final class LedgerWatch {
  private static final Logger LOG = LogManager.getLogger(LedgerWatch.class);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

  private final SearchLedger ledger;
  private final AfterRefusal afterRefusal;
  private volatile @Nullable Thread thread;

  LedgerWatch(SearchLedger ledger, AfterRefusal afterRefusal) {
    this.ledger = ledger;
    this.afterRefusal = afterRefusal;
  }

  void start() {
    Thread started = new Thread(this::run, "millrace-request-breaker");
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  private void run() {
    while (thread == Thread.currentThread()) {
      LockSupport.parkNanos(PAUSE);
      try {
        if (ledger.size() > 0) {
          ledger.judge();
        }
        if (!ledger.leaving()) {
          afterRefusal.tick();
        }
      } catch (RuntimeException e) {
        LOG.warn(
            "the request breaker failed to check the running searches; it checks them again "
                + "in a moment",
            e);
      }
    }
  }

  void stop() {
    Thread running = thread;
    thread = null;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }
}
