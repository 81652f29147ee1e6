package io.millrace.guard.lanes;

import io.millrace.guard.lanes.History.Use;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.tasks.CancellableTask;

/**
 * One phase of a search on one shard, from the moment it reaches the node until it is answered: it
 * waits for its turn, runs, and may be paused.
 */
final class Turn {
  private static final long PACE = 5_000_000;

  /** One of so many searches of a shape that is known to be light is measured. */
  private static final int SAMPLED = 8;

  /**
   * What a turn needs to know about itself, and how it begins and fails.
   *
   * @param inContext makes work run in the context of who asks now, whichever thread does it
   */
  record Work(
      CancellableTask task,
      Client client,
      String index,
      String action,
      @Nullable SearchSourceBuilder source,
      long timeoutMillis,
      Runnable begin,
      UnaryOperator<Runnable> inContext,
      Consumer<Exception> fail) {}

  /** Characters of what it asks that people see. */
  private static final int SHOWN = 500;

  private final Lanes lanes;
  private final Work work;
  private final long shape;
  private final boolean learns;
  private final long arrived = System.nanoTime();
  private final ThreadUse use = new ThreadUse();
  private final AtomicLong nextLook = new AtomicLong(arrived + PACE);

  /** CPU time in nanoseconds for which it has rested, or did not need to. */
  private volatile long paidCpu;

  private volatile @Nullable String asked;
  private Runnable begin;
  private final AtomicBoolean over = new AtomicBoolean();

  // the following are written under the lock of the lanes
  volatile Lane lane = Lane.LIGHT;

  /** The lane of which it holds one of the places; null when it waits, is paused or needs none. */
  volatile @Nullable Lane place;

  volatile boolean begun;
  volatile boolean unstoppable;
  volatile boolean paused;
  volatile long cancelledSince;

  /**
   * @param learns whether it tells what a search of this shape uses
   */
  Turn(Lanes lanes, Work work, long shape, boolean learns) {
    this.lanes = lanes;
    this.work = work;
    this.shape = shape;
    this.learns = learns;
    this.begin = work.begin;
  }

  /** Another thread than the calling one may begin it; called before it stands in any line. */
  void mayWait() {
    begin = work.inContext.apply(work.begin);
  }

  /** Begins it, on the calling thread. */
  void begin() {
    begin.run();
  }

  Work work() {
    return work;
  }

  /** What it asks, as JSON, so much of it as people see; written when it is first asked for. */
  String asked() {
    String text = asked;
    if (text == null) {
      String all = work.source == null ? "" : work.source.toString();
      text = all.length() > SHOWN ? all.substring(0, SHOWN) + "..." : all;
      asked = text;
    }
    return text;
  }

  Client client() {
    return work.client;
  }

  long shape() {
    return shape;
  }

  boolean learns() {
    return learns;
  }

  ThreadUse use() {
    return use;
  }

  /**
   * It need not be measured each time; and one that teaches nothing, such as a fetch, need not be
   * at all, until somebody looks at it.
   */
  void knownToBeLight() {
    use.readAtOnce(learns && ThreadLocalRandom.current().nextInt(SAMPLED) == 0);
  }

  /** Nanoseconds since it arrived. */
  long age() {
    return System.nanoTime() - arrived;
  }

  boolean cancelled() {
    return work.task.isCancelled();
  }

  /** The first to call this ends it. */
  boolean ends() {
    return over.compareAndSet(false, true);
  }

  boolean over() {
    return over.get();
  }

  /** Whether somebody still waits for its answer. */
  boolean wanted() {
    return !unstoppable && !cancelled() && !over() && age() < timeoutNanos();
  }

  private long timeoutNanos() {
    return TimeUnit.MILLISECONDS.toNanos(work.timeoutMillis);
  }

  /** A check point: the threads of the search call it often. May wait. */
  void look() {
    long due = nextLook.get();
    long now = System.nanoTime();
    if (now - due < 0 || !nextLook.compareAndSet(due, now + PACE)) {
      return;
    }
    lanes.weigh(this);
    if (lane == Lane.HEAVY && place != Lane.HEAVY) {
      lanes.pause(this);
    }
    if (lane == Lane.MEDIUM || lane == Lane.HEAVY) {
      giveWay();
    }
  }

  /** The same, where others than the threads of the search may call it, who must not wait. */
  void lookIfMine() {
    if (System.nanoTime() - nextLook.get() >= 0 && use.worksHere()) {
      look();
    }
  }

  private void giveWay() {
    long before = paidCpu;
    long used = use.sum().cpuNanos();
    paidCpu = used;
    lanes.way().rest(this::wanted, used - before);
  }

  /** One word for people. */
  String state() {
    if (!begun) {
      return "waits";
    }
    if (unstoppable) {
      return "does not react to its cancellation";
    }
    return cancelled() ? "cancelled" : paused ? "paused" : "runs";
  }

  Use used() {
    return use.sum();
  }
}
