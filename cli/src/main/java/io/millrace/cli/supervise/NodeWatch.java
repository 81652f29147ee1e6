package io.millrace.cli.supervise;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What to do about one node, from what was seen of it; no clock and no process of its own, so that
 * every sequence can be tested.
 *
 * <p>A node that never answered since it was restarted is given {@link #START} for its recovery;
 * the first start was {@code up}'s, which waited until it served. Starts that do not last are tried
 * again after 1, 2, 4, ... 32 s; after {@link #ATTEMPTS} restarts within {@link #WINDOW} it is left
 * to a person.
 */
final class NodeWatch {
  static final Duration START = Duration.ofMinutes(15);
  static final Duration WINDOW = Duration.ofMinutes(10);
  static final int ATTEMPTS = 5;

  /** What the supervisor does next. */
  enum Step {
    /** All is well, or not yet decided. */
    NONE,
    /** It is there and answers nothing. */
    KILL,
    /** It has ended; start it. */
    START,
    /** It ended too often. */
    GIVE_UP
  }

  private final long patienceNanos;
  private final Deque<Long> restarts = new ArrayDeque<>();
  private long silentNanos;
  private long lastSeen;
  private boolean first = true;
  private boolean answered = true;
  private long startAt = Long.MIN_VALUE;
  private boolean gaveUp;

  /**
   * @param patience silence after which a node that had answered is killed
   */
  NodeWatch(Duration patience) {
    this.patienceNanos = patience.toNanos();
  }

  /**
   * @param now {@code System.nanoTime()}
   * @param alive whether its process lives
   * @param answers whether it answered just now
   */
  Step seen(long now, boolean alive, boolean answers) {
    // a supervisor that was itself suspended knows nothing of the time between
    long passed = first ? 0 : Math.min(now - lastSeen, patienceNanos / 3);
    first = false;
    lastSeen = now;
    if (gaveUp) {
      gaveUp = !answers;
      return Step.NONE;
    }
    if (!alive) {
      silentNanos = 0;
      return ended(now);
    }
    startAt = Long.MIN_VALUE;
    if (answers) {
      answered = true;
      silentNanos = 0;
      return Step.NONE;
    }
    silentNanos += passed;
    long patience = answered ? patienceNanos : START.toNanos();
    if (silentNanos < patience) {
      return Step.NONE;
    }
    silentNanos = 0;
    return Step.KILL;
  }

  private Step ended(long now) {
    restarts.removeIf(at -> now - at > WINDOW.toNanos());
    if (restarts.size() >= ATTEMPTS) {
      gaveUp = true;
      return Step.GIVE_UP;
    }
    if (startAt == Long.MIN_VALUE) {
      // the first restart at once: most nodes die once
      long pause = restarts.isEmpty() ? 0 : 1_000_000_000L << (restarts.size() - 1);
      startAt = now + pause;
    }
    if (now - startAt < 0) {
      return Step.NONE;
    }
    startAt = Long.MIN_VALUE;
    restarts.add(now);
    answered = false;
    return Step.START;
  }

  /** How long the node has given no answer. */
  Duration silent() {
    return Duration.ofNanos(silentNanos);
  }
}
