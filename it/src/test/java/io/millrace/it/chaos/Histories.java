package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every operation of a run, by index and id; safe for several threads. */
final class Histories {
  /** One document. */
  record Key(String index, String id) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byIndex = index.compareTo(other.index);
      return byIndex != 0 ? byIndex : id.compareTo(other.id);
    }

    @Override
    public String toString() {
      return index + "/" + id;
    }
  }

  /** In place of an answer without a body. */
  static final JsonNode NOTHING = MissingNode.getInstance();

  private final Map<Key, List<Operation>> byKey = new ConcurrentHashMap<>();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();

  /** A value that no write has had. */
  long nextValue() {
    return values.incrementAndGet();
  }

  /** Keeps one operation. */
  void add(Key key, Operation operation) {
    List<Operation> list = byKey.computeIfAbsent(key, ignored -> new ArrayList<>());
    synchronized (list) {
      list.add(operation);
    }
    (operation.isRead() ? reads : operation.isUnknown() ? unknown : acknowledged).incrementAndGet();
  }

  /** Every document that was asked for. */
  List<Key> keys() {
    return byKey.keySet().stream().sorted().toList();
  }

  /** The documents of one index. */
  List<Key> keys(String index) {
    return keys().stream().filter(key -> key.index().equals(index)).toList();
  }

  /** What was asked for one document, in the order of the answers. */
  List<Operation> of(Key key) {
    List<Operation> list = byKey.getOrDefault(key, List.of());
    synchronized (list) {
      return List.copyOf(list);
    }
  }

  /** How many writes were acknowledged. */
  long acknowledged() {
    return acknowledged.get();
  }

  /** How many operations of each outcome there are, for the report. */
  String counts() {
    return byKey.size()
        + " documents, "
        + acknowledged
        + " writes acknowledged, "
        + unknown
        + " of unknown outcome, "
        + reads
        + " reads";
  }
}
