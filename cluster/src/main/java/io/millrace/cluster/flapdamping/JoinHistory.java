package io.millrace.cluster.flapdamping;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;

/**
 * When each node has joined and left, as this node saw it. Every node keeps one, so that the next
 * cluster manager knows what the last one knew.
 */
final class JoinHistory {
  /** Joins kept of a node; more than {@link FlapLimits#joins} can ask for. */
  private static final int KEPT = 100;

  private final FlapLimits limits;
  private final LongSupplier nanoTime;
  private final Map<String, Deque<Long>> joins = new HashMap<>();
  private final Map<String, Long> departures = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

  /** When any node joined last; null before the first. Read without a lock, for each decision. */
  private volatile @Nullable Long lastJoin;

  JoinHistory(FlapLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /**
   * A node that gets no shards.
   *
   * @param count joins within the window before its last one
   * @param left how long it still has to stay
   */
  record Damped(String id, String name, int count, TimeValue left) {}

  /** The node has joined now. */
  synchronized void joined(String id, String name) {
    long now = nanoTime.getAsLong();
    forgetBefore(now - limits.window().nanos() - limits.settle().nanos());
    Deque<Long> times = joins.computeIfAbsent(id, any -> new ArrayDeque<>());
    times.addLast(now);
    if (times.size() > KEPT) {
      times.removeFirst();
    }
    names.put(id, name);
    lastJoin = now;
  }

  /** Whether every node has stayed: nobody is kept from anything. */
  boolean settled() {
    Long last = lastJoin;
    return last == null || nanoTime.getAsLong() - last >= limits.settle().nanos();
  }

  /** The node has left now. */
  synchronized void departed(String id) {
    departures.put(id, nanoTime.getAsLong());
  }

  private void forgetBefore(long oldest) {
    joins.values().forEach(times -> times.removeIf(time -> time - oldest < 0));
    joins.values().removeIf(Deque::isEmpty);
    names.keySet().retainAll(joins.keySet());
    departures.values().removeIf(time -> time - oldest < 0);
  }

  /** How often the node joined up to its last join, within the window. */
  private int count(Deque<Long> times) {
    long last = times.getLast();
    long window = limits.window().nanos();
    return (int) times.stream().filter(time -> last - time <= window).count();
  }

  /** How long it still has to stay until it gets shards; zero for a node that does not flap. */
  synchronized TimeValue left(String id) {
    Deque<Long> times = joins.get(id);
    return times == null || count(times) < limits.joins() ? TimeValue.ZERO : untilSettled(times);
  }

  private TimeValue untilSettled(Deque<Long> times) {
    long left = times.getLast() + limits.settle().nanos() - nanoTime.getAsLong();
    return left > 0 ? TimeValue.timeValueNanos(left) : TimeValue.ZERO;
  }

  /**
   * How long a node that was away, for the window at most, still has to stay until shards that have
   * another place are moved to it; zero for any other node, and for one that is away.
   */
  synchronized TimeValue returned(String id) {
    Deque<Long> times = joins.get(id);
    Long departure = departures.get(id);
    if (times == null || departure == null) {
      return TimeValue.ZERO;
    }
    long away = times.getLast() - departure;
    return away < 0 || away > limits.window().nanos() ? TimeValue.ZERO : untilSettled(times);
  }

  /** Nanoseconds until the next node has stayed; empty when no node is waited for. */
  synchronized OptionalLong next() {
    return joins.keySet().stream()
        .mapToLong(id -> Math.max(left(id).nanos(), returned(id).nanos()))
        .filter(nanos -> nanos > 0)
        .min();
  }

  /** Joins within the window before the last one; 0 for a node that is not known. */
  synchronized int count(String id) {
    Deque<Long> times = joins.get(id);
    return times == null ? 0 : count(times);
  }

  /** The nodes that get no shards now. */
  synchronized List<Damped> damped() {
    List<Damped> found = new ArrayList<>();
    joins.forEach((id, times) -> {
      TimeValue left = left(id);
      if (left.nanos() > 0) {
        found.add(new Damped(id, names.getOrDefault(id, id), count(times), left));
      }
    });
    return found;
  }

  /** The nodes that are moved no shards to because they came back, with the time that is left. */
  private synchronized List<Map<String, Object>> returned() {
    List<Map<String, Object>> found = new ArrayList<>();
    joins
        .keySet()
        .forEach(id -> {
          TimeValue left = returned(id);
          if (left.nanos() > 0) {
            String name = names.getOrDefault(id, id);
            found.add(Map.of("id", id, "name", name, "moves_in_ms", left.millis()));
          }
        });
    return found;
  }

  Map<String, Object> report(boolean on) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("enabled", on);
    report.put(
        "damped",
        damped().stream()
            .map(node ->
                Map.of(
                    "id", node.id(),
                    "name", node.name(),
                    "joins", node.count(),
                    "shards_in_ms", node.left().millis()))
            .toList());
    report.put("returned", returned());
    return report;
  }
}
