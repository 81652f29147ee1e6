package io.millrace.storage.columnarsource.segment;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that the shapes in use may take, over all open segments: a node may have thousands, each
 * with up to {@value SegmentDictionary#MAX_TEXT} bytes of shapes. What finds no room is read in
 * place each time.
 */
public final class ShapeBudget {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  /**
   * @param most bytes
   */
  public ShapeBudget(long most) {
    this.most = most;
  }

  /** One percent of the heap. */
  public static ShapeBudget ofHeap() {
    return new ShapeBudget(Runtime.getRuntime().maxMemory() / 100);
  }

  /** Whether there was room for so many bytes, which are taken then. */
  boolean take(int bytes) {
    if (held.addAndGet(bytes) <= most) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Bytes held now. */
  public long held() {
    return held.get();
  }
}
