package io.millrace.guard.lanes;

import io.millrace.guard.heap.HeapView;
import io.millrace.guard.lanes.History.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * Decides which searches of shards run now, which wait and which are paused.
 *
 * <p>Threads are cheap, heavy searches are not: with 4 threads a one-hit search waited two minutes
 * behind four script loops; with 32 it took 0.2 s, but the heavy ones side by side took the heap.
 * So the pool has many threads, and heavy searches share a few places in it. A search that is found
 * to be heavy while it runs waits for a place at its next check point; while too many are paused,
 * it goes on without one.
 */
final class Lanes {
  /** A cancelled search that still runs after this long does not react. */
  private static final long DEAF_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long NAP_MILLIS = 50;

  private final LaneLimits limits;
  private final History history;
  private final HeapView heap;
  private final Map<Long, Turn> turns = new ConcurrentHashMap<>();
  private final FairLine unknown = new FairLine();
  private final FairLine heavy = new FairLine();

  /** With the number of its threads that sleep; the first has waited longest. */
  private final Map<Turn, Integer> paused = new LinkedHashMap<>();

  private final Queue<Turn> ready = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean starting = new AtomicBoolean();
  private int unknownPlaces;
  private int heavyPlaces;
  private volatile boolean on;
  private volatile int processors = 1;
  private volatile int threads = 1;

  final LongAdder waited = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder found = new LongAdder();
  final LongAdder pauses = new LongAdder();

  Lanes(LaneLimits limits, History history, HeapView heap) {
    this.limits = limits;
    this.history = history;
    this.heap = heap;
  }

  /**
   * @param threads of the pool that all of them share
   */
  void open(boolean on, int processors, int threads) {
    synchronized (this) {
      this.on = on;
      this.processors = processors;
      this.threads = threads;
      notifyAll();
    }
    serve();
  }

  Collection<Turn> turns() {
    return turns.values();
  }

  @Nullable Turn of(long task) {
    return turns.get(task);
  }

  synchronized int waiting() {
    return unknown.size() + heavy.size();
  }

  synchronized int pausedNow() {
    return paused.size();
  }

  synchronized int heavyNow() {
    return heavyPlaces;
  }

  private int heavyMost() {
    int most = limits.heavyAtOnce.value();
    return most > 0 ? most : processors;
  }

  private int unknownMost() {
    return Math.max(2, Math.max(processors, threads / 4));
  }

  private int pausedMost() {
    return threads / 2;
  }

  private boolean heavy(@Nullable Use use) {
    return use != null
        && (use.cpuNanos() > limits.heavyCpu.value().nanos()
            || use.bytes() > limits.heavyMemory.value().getBytes());
  }

  /** A search has reached the node: it begins now, later or never. */
  void arrive(Turn turn) {
    turns.put(turn.work().task().getId(), turn);
    Use before = history.of(turn.shape());
    Lane lane =
        !turn.learns()
            ? Lane.LIGHT
            : before == null ? Lane.UNKNOWN : heavy(before) ? Lane.HEAVY : Lane.LIGHT;
    turn.lane = lane;
    if (lane == Lane.LIGHT) {
      begin(turn);
      return;
    }
    Turn deaf = lane == Lane.HEAVY ? deaf(turn.shape()) : null;
    boolean full;
    synchronized (this) {
      full = waiting() >= limits.queue.value();
      if (!full && deaf == null) {
        (lane == Lane.HEAVY ? heavy : unknown).add(turn);
      }
    }
    if (deaf != null) {
      refuse(
          turn,
          "a search of the same shape, task ["
              + deaf.work().task().getId()
              + "], was cancelled and has not reacted for "
              + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - deaf.cancelledSince)
              + " s: its script loops without end within one document; bound the loops of the"
              + " script");
    } else if (full) {
      refuse(
          turn,
          "["
              + limits.queue.value()
              + "] searches of shards already wait for their turn on this node ["
              + limits.queue.key()
              + "]; try again later, or send fewer heavy searches at once");
    } else {
      serve();
      if (!turn.begun) {
        waited.increment();
      }
    }
  }

  private @Nullable Turn deaf(long shape) {
    for (Turn each : turns.values()) {
      if (each.unstoppable && each.shape() == shape) {
        return each;
      }
    }
    return null;
  }

  /** A search has been answered. */
  void end(Turn turn, boolean whole) {
    if (!turn.ends()) {
      return;
    }
    turns.remove(turn.work().task().getId(), turn);
    if (turn.learns() && turn.begun) {
      history.used(turn.shape(), turn.used(), whole);
    }
    synchronized (this) {
      leavePlace(turn);
    }
    serve();
  }

  private void leavePlace(Turn turn) {
    if (turn.place == Lane.HEAVY) {
      heavyPlaces--;
    } else if (turn.place == Lane.UNKNOWN) {
      unknownPlaces--;
    }
    turn.place = null;
  }

  /** Finds out whether a running search is heavy. */
  void weigh(Turn turn) {
    if (turn.lane == Lane.HEAVY || !on) {
      return;
    }
    Use use = turn.used();
    if (!heavy(use)) {
      return;
    }
    if (turn.learns()) {
      history.atLeast(turn.shape(), use);
    }
    synchronized (this) {
      if (turn.lane == Lane.HEAVY || turn.over()) {
        return;
      }
      found.increment();
      turn.lane = Lane.HEAVY;
      leavePlace(turn);
      if (roomForHeavy()) {
        takeHeavy(turn);
      }
    }
    serve();
  }

  private boolean roomForHeavy() {
    return heavyPlaces < heavyMost()
        && (heavyPlaces == 0 || heap.bytes() < limits.heavyHeap.value().getBytes());
  }

  private void takeHeavy(Turn turn) {
    heavyPlaces++;
    turn.place = Lane.HEAVY;
  }

  /** Holds the calling thread until its search has a place, is over or no longer wanted. */
  synchronized void pause(Turn turn) {
    if (paused.size() >= pausedMost() && !paused.containsKey(turn)) {
      return;
    }
    paused.merge(turn, 1, Integer::sum);
    turn.paused = true;
    pauses.increment();
    try {
      while (on && turn.place == null && wanted(turn)) {
        if (roomForHeavy() && paused.keySet().iterator().next() == turn) {
          takeHeavy(turn);
        } else {
          wait(NAP_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (paused.merge(turn, -1, Integer::sum) == 0) {
        paused.remove(turn);
        turn.paused = false;
      }
      notifyAll();
    }
  }

  private static boolean wanted(Turn turn) {
    return !turn.unstoppable
        && !turn.cancelled()
        && !turn.over()
        && turn.age() < millis(turn.work().timeoutMillis());
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Lets begin what may; by one thread at a time, so that answers do not nest. */
  private void serve() {
    synchronized (this) {
      if (!paused.isEmpty()) {
        notifyAll(); // they have threads and memory already, so they go first
      }
      Turn turn;
      while ((!on || unknownPlaces < unknownMost()) && (turn = unknown.poll()) != null) {
        unknownPlaces++;
        turn.place = Lane.UNKNOWN;
        ready.add(turn);
      }
      while ((!on || (paused.isEmpty() && roomForHeavy())) && (turn = heavy.poll()) != null) {
        takeHeavy(turn);
        ready.add(turn);
      }
    }
    while (!ready.isEmpty() && starting.compareAndSet(false, true)) {
      try {
        for (Turn turn = ready.poll(); turn != null; turn = ready.poll()) {
          begin(turn);
        }
      } finally {
        starting.set(false);
      }
    }
  }

  private void begin(Turn turn) {
    turn.begun = true;
    turn.work().begin().run();
  }

  /** Called ten times a second: what nobody waits for leaves, what runs unseen is weighed. */
  void tick() {
    for (Turn turn : turns.values()) {
      if (turn.begun && turn.use().working()) {
        weigh(turn);
        if (turn.cancelled() && !turn.unstoppable) {
          notePatience(turn);
        }
      }
    }
    List<Turn> gone = new ArrayList<>();
    synchronized (this) {
      gone.addAll(heavy.removeIf(this::isLate));
      gone.addAll(unknown.removeIf(this::isLate));
    }
    gone.forEach(this::giveUp);
    serve();
  }

  private void notePatience(Turn turn) {
    long now = System.nanoTime();
    if (turn.cancelledSince == 0) {
      turn.cancelledSince = now;
    } else if (now - turn.cancelledSince > DEAF_NANOS) {
      synchronized (this) {
        turn.unstoppable = true;
        leavePlace(turn);
      }
    }
  }

  private boolean isLate(Turn turn) {
    return turn.cancelled() || turn.age() > millis(patience(turn));
  }

  private long patience(Turn turn) {
    return Math.min(turn.work().timeoutMillis(), limits.maxWait.value().millis());
  }

  private void giveUp(Turn turn) {
    if (turn.cancelled()) {
      turn.work()
          .fail()
          .accept(
              new TaskCancelledException(
                  "cancelled while it waited for its turn: "
                      + turn.work().task().getReasonCancelled()));
      end(turn, false);
      return;
    }
    Use before = history.of(turn.shape());
    boolean own = patience(turn) < limits.maxWait.value().millis();
    refuse(
        turn,
        "waited ["
            + patience(turn)
            + " ms] for its turn"
            + (before == null
                ? ""
                : " among heavy searches (one like it used "
                    + TimeUnit.NANOSECONDS.toMillis(before.cpuNanos())
                    + " ms of CPU time and allocated "
                    + (before.bytes() >> 20)
                    + " MB)")
            + ", as long as "
            + (own ? "its timeout" : "[" + limits.maxWait.key() + "]")
            + " allows; ask for less, try again later, or raise the limit");
  }

  private void refuse(Turn turn, String why) {
    refused.increment();
    turn.work()
        .fail()
        .accept(new OpenSearchRejectedExecutionException("[search-lanes] the search " + why));
    end(turn, false);
  }
}
