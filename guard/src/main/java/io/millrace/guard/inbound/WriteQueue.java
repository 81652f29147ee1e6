package io.millrace.guard.inbound;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.IntSupplier;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.threadpool.ThreadPool;

/**
 * The queue of stock's {@code write} pool, which takes 10,000 tasks (ThreadPool#ThreadPool at
 * 3.8.0) in the order in which they come: at four times what a node can take, a small client's bulk
 * stood behind 1.6 s of others (StormComparisonIT, 4x). Bulks that wait to be read stand before it.
 */
final class WriteQueue implements Pace {
  /**
   * When a line that this queue holds back looks at it again: soon against {@code max_wait}, and
   * ten short tasks a second at most. Whoever is let go by a look lets more go when it is answered.
   */
  private static final TimeValue AGAIN = TimeValue.timeValueMillis(100);

  private final ThreadPool threads;
  private final Executor pool;
  private final IntSupplier unread;
  private final int perThread;

  /**
   * The node's queue.
   *
   * @param unread bulks that nobody has read yet
   * @param perThread tasks per thread that keep the pool busy, at least 1
   */
  WriteQueue(ThreadPool threads, IntSupplier unread, int perThread) {
    this.threads = threads;
    this.pool = threads.executor(ThreadPool.Names.WRITE);
    this.unread = unread;
    this.perThread = perThread;
  }

  @Override
  public int most() {
    return pool instanceof ThreadPoolExecutor writes
        ? perThread * writes.getMaximumPoolSize()
        : Integer.MAX_VALUE;
  }

  @Override
  public int queued() {
    return pool instanceof ThreadPoolExecutor writes
        ? writes.getQueue().size() + unread.getAsInt()
        : 0;
  }

  @Override
  public void later(Runnable look) {
    // telling those who may go is a task for their event loops each: nothing here waits
    threads.scheduleUnlessShuttingDown(AGAIN, ThreadPool.Names.SAME, look);
  }
}
