package io.millrace.guard.lanes;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What searches of each shape used on this node, for the shapes that were seen last. */
final class History {
  private static final int SHAPES = 4_096;
  private static final double WEIGHT = 0.3;

  /**
   * Quick to believe that a shape is heavy, slow to believe that it no longer is.
   *
   * @param cpuNanos CPU time, nanoseconds
   * @param bytes allocated
   */
  record Use(long cpuNanos, long bytes) {
    private Use after(Use next) {
      return new Use(smooth(cpuNanos, next.cpuNanos), smooth(bytes, next.bytes));
    }

    private static long smooth(long before, long now) {
      return Math.max(now, (long) (before * (1 - WEIGHT) + now * WEIGHT));
    }
  }

  private final Map<Long, Use> shapes =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Use> eldest) {
          return size() > SHAPES;
        }
      };

  /** {@code null} for a shape that was not seen. */
  synchronized @Nullable Use of(long shape) {
    return shapes.get(shape);
  }

  /**
   * A search has ended.
   *
   * @param whole false when it was stopped: it would have used more
   */
  synchronized void used(long shape, Use use, boolean whole) {
    Use before = shapes.get(shape);
    if (before == null) {
      if (whole) {
        shapes.put(shape, use);
      }
    } else {
      Use after = before.after(use);
      shapes.put(
          shape,
          whole
              ? after
              : new Use(
                  Math.max(before.cpuNanos, use.cpuNanos), Math.max(before.bytes, use.bytes)));
    }
  }

  /** A search of a shape has shown, while it runs, that it is heavy. */
  synchronized void atLeast(long shape, Use use) {
    Use before = shapes.get(shape);
    shapes.put(
        shape,
        before == null
            ? use
            : new Use(Math.max(before.cpuNanos, use.cpuNanos), Math.max(before.bytes, use.bytes)));
  }

  synchronized int size() {
    return shapes.size();
  }
}
