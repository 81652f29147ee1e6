package io.millrace.guard.lanes;

import org.opensearch.common.settings.Settings;
import org.opensearch.threadpool.ThreadPool;

/**
 * The pool {@code search}, wider while the feature is on. A thread that sleeps costs its stack; a
 * light search without a thread waits for heavy ones.
 */
final class SearchPool {
  private static final String SIZE = "search.size";

  private final ThreadPool threads;
  private final int stock;
  private final boolean fixed;
  private int now;

  SearchPool(ThreadPool threads, Settings node) {
    this.threads = threads;
    this.stock = threads.info(ThreadPool.Names.SEARCH).getMax();
    this.fixed = node.hasValue("thread_pool." + SIZE);
    this.now = stock;
  }

  /**
   * Makes it so wide.
   *
   * @param least threads, unless the node's configuration names a number
   * @return threads that it has
   */
  int widen(int least) {
    int size = fixed ? stock : Math.max(stock, least);
    if (size != now) {
      threads.setThreadPool(Settings.builder().put(SIZE, size).build());
      now = size;
    }
    return size;
  }
}
