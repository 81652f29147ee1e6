package io.millrace.observe.freshness;

import io.millrace.kernel.metric.Durations;
import io.millrace.kernel.slot.ShardHooks;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.lucene.search.ReferenceManager;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.engine.Engine;

/**
 * The oldest write of one shard that no refresh has shown yet: one long.
 *
 * <p>A write is noted once the engine has it, with the time at which the engine got it ({@code
 * Operation.startTime}). A refresh takes the note when it begins and measures when it ends; what is
 * written meanwhile belongs to the next refresh. So each refresh measures the <em>oldest</em> write
 * that it shows: the longest wait, not the average.
 *
 * <p>A write that a running refresh happens to show may be noted after that refresh took its note:
 * the note is then of a write that can be seen already. {@link #forgetIfVisible} drops such a note
 * once the shard has nothing to refresh.
 */
final class ShardClock implements ShardHooks, ReferenceManager.RefreshListener {
  private static final long NONE = Long.MIN_VALUE;

  private final BooleanSupplier on;
  private final LongSupplier nanoTime;
  private final Durations waits;
  private final AtomicLong oldest = new AtomicLong(NONE);
  // written and read under the reader manager's refresh lock
  private long shown = NONE;
  private volatile long lastNanos;
  private volatile @Nullable Engine engine;

  /**
   * @param waits where the measured waits go
   */
  ShardClock(BooleanSupplier on, LongSupplier nanoTime, Durations waits) {
    this.on = on;
    this.nanoTime = nanoTime;
    this.waits = waits;
  }

  @Override
  public boolean followsOperations() {
    return true;
  }

  @Override
  public void opened(Engine opened) {
    engine = opened;
  }

  @Override
  public void indexed(Engine.Index operation, Engine.IndexResult result) {
    if (result.getResultType() == Engine.Result.Type.SUCCESS) {
      written(operation);
    }
  }

  @Override
  public void deleted(Engine.Delete operation, Engine.DeleteResult result) {
    if (result.getResultType() == Engine.Result.Type.SUCCESS) {
      written(operation);
    }
  }

  private void written(Engine.Operation operation) {
    // what a recovery replays arrived long ago, on another shard
    if (on.getAsBoolean() && !operation.origin().isRecovery()) {
      written(operation.startTime());
    }
  }

  /** A write that arrived at this time is in the engine. */
  void written(long arrivedNanos) {
    long noted = oldest.get();
    while (noted == NONE || arrivedNanos - noted < 0) {
      if (oldest.compareAndSet(noted, arrivedNanos)) {
        return;
      }
      noted = oldest.get();
    }
  }

  @Override
  public void beforeRefresh() {
    long noted = oldest.getAndSet(NONE);
    if (shown == NONE || (noted != NONE && noted - shown < 0)) {
      shown = noted;
    }
  }

  @Override
  public void afterRefresh(boolean didRefresh) {
    if (shown == NONE) {
      return;
    }
    if (didRefresh && on.getAsBoolean()) {
      long wait = nanoTime.getAsLong() - shown;
      lastNanos = wait;
      waits.record(wait);
    }
    shown = NONE; // without a new reader there was nothing to show
  }

  /** How long the oldest write waits already, nanoseconds; 0 where none waits. */
  long waitingNanos() {
    long noted = oldest.get();
    return noted == NONE ? 0 : Math.max(0, nanoTime.getAsLong() - noted);
  }

  /** The wait that the last refresh ended, nanoseconds. */
  long lastNanos() {
    return lastNanos;
  }

  /** Drops the note if the engine has nothing to refresh. */
  void forgetIfVisible() {
    Engine asked = engine;
    forgetIfVisible(() -> asked != null && asked.refreshNeeded());
  }

  void forgetIfVisible(BooleanSupplier refreshNeeded) {
    long noted = oldest.get();
    if (noted != NONE && !refreshNeeded.getAsBoolean()) {
      oldest.compareAndSet(noted, NONE);
    }
  }
}
