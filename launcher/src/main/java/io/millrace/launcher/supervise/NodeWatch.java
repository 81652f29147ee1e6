package io.millrace.launcher.supervise;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What to do about one node, from what was seen of it; no clock and no process of its own, so that
 * every sequence can be tested.
 *
 * <p>{@link #seen} only decides, and decides the same again until the caller says what came of it:
 * a step that had to wait (for the workspace's lock) is neither lost nor counted.
 *
 * <p>A process that never answered is given {@link #START} from its beginning for its recovery.
 * Starts that do not last are tried again after 1, 2, 4, ... 32 s; after {@link #ATTEMPTS} restarts
 * within {@link #WINDOW} the node is left to a person. A start that failed before there was a
 * process (no memory to fork, a full disk) says nothing about the node: it is tried again for ever,
 * after {@link #AGAIN} at most.
 */
final class NodeWatch {
  static final Duration START = Duration.ofMinutes(15);
  static final Duration WINDOW = Duration.ofMinutes(10);
  static final Duration AGAIN = Duration.ofMinutes(1);
  static final int ATTEMPTS = 5;

  /** What the supervisor does next. */
  enum Step {
    /** All is well, or not yet decided. */
    NONE,
    /** It is there and answers nothing; then {@link #killed}. */
    KILL,
    /** It has ended; start it; then {@link #started} or {@link #notStarted}. */
    START,
    /** It ended too often; then {@link #givenUp}. */
    GIVE_UP
  }

  private final long patienceNanos;
  private final Deque<Long> restarts = new ArrayDeque<>();
  private long startPatienceNanos;
  private long silentNanos;
  private long lastSeen;
  private boolean first = true;
  private boolean answered;
  private int failures;
  private long startAt = Long.MIN_VALUE;
  private boolean gaveUp;

  /**
   * @param patience silence after which a node that had answered is killed
   * @param age of its process
   * @param served whether it is known to have answered
   */
  NodeWatch(Duration patience, Duration age, boolean served) {
    this.patienceNanos = patience.toNanos();
    replaced(age);
    this.answered = served;
  }

  /** Somebody else started it: another process, and nothing that the one before did counts. */
  void replaced(Duration age) {
    restarts.clear();
    gaveUp = false;
    process(age);
  }

  private void process(Duration age) {
    startPatienceNanos = Math.max(patienceNanos, START.minus(age).toNanos());
    silentNanos = 0;
    answered = false;
    failures = 0;
    startAt = Long.MIN_VALUE;
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
    return silentNanos < (answered ? patienceNanos : startPatienceNanos) ? Step.NONE : Step.KILL;
  }

  private Step ended(long now) {
    restarts.removeIf(at -> now - at > WINDOW.toNanos());
    if (restarts.size() >= ATTEMPTS) {
      return Step.GIVE_UP;
    }
    if (startAt == Long.MIN_VALUE) {
      // the first restart at once: most nodes die once
      long pause = restarts.isEmpty() ? 0 : 1_000_000_000L << (restarts.size() - 1);
      startAt = now + pause;
    }
    return now - startAt < 0 ? Step.NONE : Step.START;
  }

  /** It was sent SIGKILL. */
  void killed() {
    silentNanos = 0;
  }

  /** It runs as a new process, which is recorded. */
  void started(long now) {
    restarts.add(now);
    process(Duration.ZERO);
  }

  /** It could not be started, or not be recorded. */
  void notStarted(long now) {
    failures++;
    startAt = now + Math.min(AGAIN.toNanos(), 1_000_000_000L << Math.min(failures, 10));
  }

  /** It is left to a person. */
  void givenUp() {
    gaveUp = true;
  }

  /** How long the node has given no answer. */
  Duration silent() {
    return Duration.ofNanos(silentNanos);
  }
}
