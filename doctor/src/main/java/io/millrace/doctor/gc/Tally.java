package io.millrace.doctor.gc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the readers of both formats add up. */
final class Tally {
  private final String file;
  private final List<GcEvent> events = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, Integer> collectors = new HashMap<>();
  private long heap = -1;
  private long young = -1;
  private long old = -1;
  private long promoted = -1;
  private int humongous;
  private int exhausted;
  private int failures;

  Tally(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }

  boolean empty() {
    return events.isEmpty();
  }

  void add(GcEvent event) {
    events.add(event);
    heap = Math.max(heap, event.heap());
    if (event.cause().contains("Humongous")) {
      humongous++;
    }
  }

  /** The last event; null before the first. */
  @Nullable GcEvent last() {
    return events.isEmpty() ? null : events.getLast();
  }

  /** Puts what later lines say in the place of the last event. */
  void replaceLast(GcEvent event) {
    events.set(events.size() - 1, event);
    heap = Math.max(heap, event.heap());
  }

  void collector(String name) {
    collectors.merge(name, 1, Integer::sum);
  }

  void heap(long bytes) {
    heap = Math.max(heap, bytes);
  }

  void young(long bytes) {
    young = Math.max(young, bytes);
  }

  void old(long bytes) {
    old = Math.max(old, bytes);
  }

  void promoted(long bytes) {
    promoted = Math.max(0, promoted) + Math.max(0, bytes);
  }

  void exhausted() {
    exhausted++;
  }

  void failed() {
    failures++;
  }

  void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
    }
  }

  GcSummary summary(double seconds, long lines) {
    String collector =
        collectors.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("unknown");
    return new GcSummary(
        file, collector, events, seconds, heap, young, old, promoted, humongous, exhausted,
        failures, lines, notes);
  }
}
