package io.millrace.cluster.flapdamping;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.opensearch.common.unit.TimeValue;

/**
 * When each node has joined, as this node saw it. Every node keeps one, so that the next cluster
 * manager knows what the last one knew.
 */
final class JoinHistory {
  /** Joins kept of a node; more than {@link FlapLimits#joins} can ask for. */
  private static final int KEPT = 100;

  private final FlapLimits limits;
  private final LongSupplier nanoTime;
  private final Map<String, Deque<Long>> joins = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

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
    long oldest = now - limits.window().nanos() - limits.settle().nanos();
    joins.values().forEach(times -> times.removeIf(time -> time - oldest < 0));
    joins.values().removeIf(Deque::isEmpty);
    names.keySet().retainAll(joins.keySet());
    Deque<Long> times = joins.computeIfAbsent(id, any -> new ArrayDeque<>());
    times.addLast(now);
    if (times.size() > KEPT) {
      times.removeFirst();
    }
    names.put(id, name);
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
    if (times == null || count(times) < limits.joins()) {
      return TimeValue.ZERO;
    }
    long left = times.getLast() + limits.settle().nanos() - nanoTime.getAsLong();
    return left > 0 ? TimeValue.timeValueNanos(left) : TimeValue.ZERO;
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
    return report;
  }
}
