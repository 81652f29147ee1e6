package io.millrace.it.chaos;

import java.util.ArrayList;
import java.util.List;

/** When something was broken, in {@link System#nanoTime}. */
final class Windows {
  private static final class Window {
    private final long begin;
    private final boolean isolating;
    private long agreed = Long.MAX_VALUE;
    private long healed = Long.MAX_VALUE;

    private Window(long begin, boolean isolating) {
      this.begin = begin;
      this.isolating = isolating;
    }
  }

  private final List<Window> windows = new ArrayList<>();

  /**
   * A fault is about to begin.
   *
   * @param isolating whether a node may live on without knowing what the others decide
   */
  synchronized void open(long now, boolean isolating) {
    windows.add(new Window(now, isolating));
  }

  /** Every fault has ended, and every node has the same cluster state. */
  synchronized void agreed(long now) {
    windows.forEach(window -> window.agreed = Math.min(window.agreed, now));
  }

  /** After that every copy of every shard is in place. */
  synchronized void healed(long now) {
    windows.forEach(window -> window.healed = Math.min(window.healed, now));
  }

  /** Whether a fault fell into this time. */
  synchronized boolean disturbed(long from, long to) {
    return windows.stream().anyMatch(w -> w.begin <= to && w.healed >= from);
  }

  /** Whether a node lived on without the others in this time. */
  synchronized boolean isolated(long from, long to) {
    return windows.stream().anyMatch(w -> w.isolating && w.begin <= to && w.agreed >= from);
  }
}
