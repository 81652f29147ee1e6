package io.millrace.storage.offheapcache;

import java.util.concurrent.atomic.AtomicLong;

/** The heap that the views of a cache's blocks may take together. */
final class ViewBudget {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  /**
   * @param most bytes
   */
  ViewBudget(long most) {
    this.most = most;
  }

  /** Whether a view that took {@code before} bytes may take {@code after}; it does then. */
  boolean resize(long before, long after) {
    long more = after - before;
    if (held.addAndGet(more) <= most || more <= 0) {
      return true;
    }
    held.addAndGet(-more);
    return false;
  }

  /** Bytes held now. */
  long held() {
    return held.get();
  }
}
