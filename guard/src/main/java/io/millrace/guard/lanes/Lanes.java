package io.millrace.guard.lanes;

import io.millrace.guard.heap.HeapView;
import io.millrace.guard.lanes.History.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Decides which searches of shards run now, which wait and which are paused.
 *
 * <p>Threads are cheap, heavy searches are not: with 4 threads a one-hit search waited two minutes
 * behind four script loops; with 32 it took 0.2 s, but the heavy ones side by side took the heap.
 * So the pool has many threads, and heavy searches share a few places in it. A search that is found
 * to be heavy while it runs waits for a place at its next check point; while too many are paused,
 * it goes on with the place that it has.
 *
 * <p>Fifty searches of 100 ms at once would take all threads as well, though none of them is heavy.
 * So those between have places too: as many as stock has threads for all searches.
 */
final class Lanes {
  /** A cancelled search that still runs after this long does not react. */
  private static final long DEAF_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long LONGEST_REST = TimeUnit.SECONDS.toNanos(1);

  private static final long NAP_MILLIS = 50;

  private static final List<Lane> WITH_PLACES = List.of(Lane.UNKNOWN, Lane.MEDIUM, Lane.HEAVY);

  private final LaneLimits limits;
  private final History history;
  private final HeapView heap;
  private final LaneRefusals refusals;
  private final Executor others;
  private final Map<Long, Turn> turns = new ConcurrentHashMap<>();
  private final Map<Lane, LanePlaces> places = new EnumMap<>(Lane.class);

  /** With the number of its threads that sleep; the first has waited longest. */
  private final Map<Turn, Integer> paused = new LinkedHashMap<>();

  private final AtomicInteger begun = new AtomicInteger();
  private final GiveWay way;
  private volatile boolean on;
  private volatile int processors = 1;
  private volatile int threads = 1;

  final LongAdder waited = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder found = new LongAdder();
  final LongAdder pauses = new LongAdder();

  /**
   * @param others threads for the beginning and the failure of a search that another thread than
   *     its own brings about: who waits for its answer may do anything there, and must hold neither
   *     the watch nor the end of another search
   */
  Lanes(LaneLimits limits, History history, HeapView heap, Executor others) {
    this.limits = limits;
    this.history = history;
    this.heap = heap;
    this.refusals = new LaneRefusals(limits);
    this.others = others;
    this.way = new GiveWay(limits.share::value, this::running, this::sharing, LONGEST_REST);
    WITH_PLACES.forEach(lane -> places.put(lane, new LanePlaces()));
  }

  private LanePlaces places(Lane lane) {
    return Objects.requireNonNull(places.get(lane), "the light lane has no places");
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
    int all = 0;
    for (Lane lane : WITH_PLACES) {
      all += places(lane).line().size();
    }
    return all;
  }

  synchronized int pausedNow() {
    return paused.size();
  }

  GiveWay way() {
    return way;
  }

  /** Those that have begun and are not paused. */
  private synchronized int running() {
    return begun.get() - paused.size();
  }

  private synchronized int sharing() {
    return places(Lane.MEDIUM).taken() + places(Lane.HEAVY).taken();
  }

  synchronized int heavyNow() {
    return places(Lane.HEAVY).taken();
  }

  synchronized int mediumNow() {
    return places(Lane.MEDIUM).taken();
  }

  private int heavyMost() {
    int most = limits.heavyAtOnce.value();
    return most > 0 ? most : processors;
  }

  private int unknownMost() {
    return Math.max(2, Math.max(processors, threads / 4));
  }

  /** Searches of one request that run at once; 0 for as many as it asks for. */
  int fan() {
    return on ? unknownMost() : 0;
  }

  private int mediumMost() {
    int most = limits.mediumAtOnce.value();
    return most > 0 ? most : ThreadPool.searchThreadPoolSize(processors);
  }

  private int pausedMost() {
    return threads / 2;
  }

  private Lane laneOf(Turn turn) {
    if (!turn.learns()) {
      return Lane.LIGHT;
    }
    Use before = history.of(turn.shape());
    return before == null ? Lane.UNKNOWN : limits.laneOf(before);
  }

  /** A search has reached the node: it begins now, later or never. */
  void arrive(Turn turn) {
    turns.put(turn.work().task().getId(), turn);
    Lane lane = laneOf(turn);
    turn.lane = lane;
    if (lane == Lane.LIGHT) {
      turn.knownToBeLight();
      begin(turn);
      return;
    }
    turn.mayWait();
    Turn deaf = lane == Lane.HEAVY ? deaf(turn.shape()) : null;
    boolean full;
    synchronized (this) {
      full = waiting() >= limits.queue.value();
      if (!full && deaf == null) {
        places(lane).line().add(turn);
      }
    }
    if (deaf != null) {
      refuse(turn, refusals.deaf(deaf));
    } else if (full) {
      refuse(turn, refusals.full());
    } else {
      serve(turn);
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
    if (turn.begun) {
      begun.decrementAndGet();
    }
    if (turn.learns() && turn.begun && turn.use().whole()) {
      history.used(turn.shape(), turn.used(), whole);
    }
    synchronized (this) {
      leavePlace(turn);
      if (paused.isEmpty() && waiting() == 0) {
        return; // nobody waits for what it leaves
      }
    }
    serve();
  }

  private void leavePlace(Turn turn) {
    if (turn.place != null) {
      places(turn.place).leave();
      turn.place = null;
    }
  }

  private void takePlace(Turn turn, Lane lane) {
    leavePlace(turn);
    places(lane).take();
    turn.place = lane;
  }

  /** Finds out whether a running search uses more than its lane is for. */
  void weigh(Turn turn) {
    if (turn.lane == Lane.HEAVY || !on) {
      return;
    }
    Use use = turn.used();
    Lane shown = limits.laneOf(use);
    if (shown.compareTo(turn.lane) <= 0) {
      return;
    }
    if (turn.learns()) {
      history.atLeast(turn.shape(), use);
    }
    synchronized (this) {
      if (shown.compareTo(turn.lane) <= 0 || turn.over() || turn.unstoppable) {
        return;
      }
      turn.lane = shown;
      if (shown == Lane.MEDIUM) {
        takePlace(turn, Lane.MEDIUM); // it has begun, so it does not wait for one
      } else {
        found.increment();
        if (roomForHeavy()) {
          takePlace(turn, Lane.HEAVY);
        }
      }
    }
    serve();
  }

  private boolean roomForHeavy() {
    int taken = heavyNow();
    return taken < heavyMost()
        && (taken == 0 || heap.bytes() < limits.heavyHeap.value().getBytes());
  }

  /** Holds the calling thread until its search has a place, is over or no longer wanted. */
  void pause(Turn turn) {
    synchronized (this) {
      if (paused.size() >= pausedMost() && !paused.containsKey(turn)) {
        return; // with the place that it has, so that what runs like this is bounded
      }
      paused.merge(turn, 1, Integer::sum);
      turn.paused = true;
      if (turn.place != Lane.HEAVY) {
        leavePlace(turn);
      }
    }
    pauses.increment();
    serve(); // the place that it left
    waitForPlace(turn);
  }

  private synchronized void waitForPlace(Turn turn) {
    try {
      while (on && turn.place == null && turn.wanted()) {
        if (roomForHeavy() && paused.keySet().iterator().next() == turn) {
          takePlace(turn, Lane.HEAVY);
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

  private void serve() {
    serve(null);
  }

  /**
   * Lets begin what may.
   *
   * @param own has just arrived and begins on the calling thread, if it may
   */
  private void serve(@Nullable Turn own) {
    List<Turn> ready = new ArrayList<>();
    synchronized (this) {
      if (!paused.isEmpty()) {
        notifyAll(); // they have threads and memory already, so they go first
      }
      WITH_PLACES.forEach(lane -> letBegin(lane, ready));
    }
    boolean mine = own != null && ready.remove(own);
    ready.forEach(turn -> others.execute(() -> begin(turn)));
    if (own != null && mine) {
      begin(own);
    } else if (own != null) {
      waited.increment();
    }
  }

  private void letBegin(Lane lane, List<Turn> ready) {
    Turn turn;
    while ((!on || room(lane)) && (turn = places(lane).line().poll()) != null) {
      Lane now = lane == Lane.UNKNOWN ? laneOf(turn) : lane;
      if (now == lane) {
        takePlace(turn, lane);
        ready.add(turn);
      } else if (known(turn, now)) {
        ready.add(turn);
      }
    }
  }

  private boolean room(Lane lane) {
    return switch (lane) {
      case LIGHT -> true;
      case UNKNOWN -> places(lane).taken() < unknownMost();
      case MEDIUM -> places(lane).taken() < mediumMost();
      case HEAVY -> paused.isEmpty() && roomForHeavy();
    };
  }

  /**
   * Another search of its shape has shown, while it waited, what such searches use.
   *
   * @return whether it may begin at once; it stands in the line of its lane otherwise
   */
  private boolean known(Turn turn, Lane lane) {
    turn.lane = lane;
    if (lane != Lane.LIGHT) {
      places(lane).line().add(turn);
    }
    return lane == Lane.LIGHT;
  }

  private void begin(Turn turn) {
    turn.begun = true;
    begun.incrementAndGet();
    turn.begin();
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
    List<Turn> light = new ArrayList<>();
    synchronized (this) {
      for (Lane lane : WITH_PLACES) {
        gone.addAll(places(lane).line().removeIf(this::isLate));
      }
      for (Turn turn : places(Lane.UNKNOWN).line().removeIf(each -> laneOf(each) != Lane.UNKNOWN)) {
        if (known(turn, laneOf(turn))) {
          light.add(turn);
        }
      }
    }
    light.forEach(turn -> others.execute(() -> begin(turn)));
    gone.forEach(turn -> others.execute(() -> giveUp(turn)));
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
    return turn.cancelled() || turn.age() > TimeUnit.MILLISECONDS.toNanos(patience(turn));
  }

  private long patience(Turn turn) {
    return Math.min(turn.work().timeoutMillis(), limits.maxWait.value().millis());
  }

  private void giveUp(Turn turn) {
    if (turn.cancelled()) {
      fail(
          turn,
          new TaskCancelledException(
              "cancelled while it waited for its turn: "
                  + turn.work().task().getReasonCancelled()));
      return;
    }
    boolean own = patience(turn) < limits.maxWait.value().millis();
    refuse(turn, refusals.late(patience(turn), own, history.of(turn.shape())));
  }

  private void refuse(Turn turn, Exception why) {
    refused.increment();
    fail(turn, why);
  }

  /** Who has its answer finds the search in no list any more. */
  private void fail(Turn turn, Exception why) {
    end(turn, false);
    turn.work().fail().accept(why);
  }
}
