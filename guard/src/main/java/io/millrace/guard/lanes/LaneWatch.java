package io.millrace.guard.lanes;

import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** Looks at the lanes ten times a second, for searches that pass no check point. */
final class LaneWatch {
  private static final Logger LOG = LogManager.getLogger(LaneWatch.class);
  private static final long PAUSE_NANOS = 100_000_000;

  private final Lanes lanes;
  private volatile @Nullable Thread thread;
  private volatile @Nullable HeaviestNote note;

  LaneWatch(Lanes lanes) {
    this.lanes = lanes;
  }

  /**
   * Begins to look.
   *
   * @param note where the heaviest search is noted; null when it cannot be
   */
  void start(@Nullable HeaviestNote note) {
    this.note = note;
    Thread started = new Thread(this::run, "millrace-search-lanes");
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  private void run() {
    while (thread == Thread.currentThread()) {
      LockSupport.parkNanos(PAUSE_NANOS);
      try {
        HeaviestNote heaviest = note;
        if (!lanes.turns().isEmpty()) {
          lanes.tick();
          if (heaviest != null) {
            heaviest.write(lanes);
          }
        } else if (heaviest != null) {
          heaviest.clear();
        }
      } catch (RuntimeException e) {
        LOG.warn("the searches that wait could not be looked at; they are again in a moment", e);
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
