package io.millrace.doctor.gc;

import java.util.List;

/**
 * What one GC log says, in numbers.
 *
 * @param file its name
 * @param collector {@code G1}, {@code Parallel}, {@code Serial}, {@code CMS}, {@code ZGC}, {@code
 *     Shenandoah}, or {@code unknown}
 * @param events in the order of the log
 * @param seconds from the first to the last line with a time
 * @param heapBytes the largest heap seen
 * @param youngBytes the largest young generation seen; -1 when the log does not say
 * @param oldBytes the largest old generation seen; -1 when the log does not say
 * @param promotedBytes moved from young to old; -1 when the log does not say
 * @param humongous pauses that a humongous allocation caused
 * @param toSpaceExhausted evacuations that found no room
 * @param concurrentFailures of CMS: concurrent mode failures and failed promotions
 * @param lines how many were read
 * @param notes what a reader should know of the log, such as that it is cut or mixed
 */
public record GcSummary(
    String file,
    String collector,
    List<GcEvent> events,
    double seconds,
    long heapBytes,
    long youngBytes,
    long oldBytes,
    long promotedBytes,
    int humongous,
    int toSpaceExhausted,
    int concurrentFailures,
    long lines,
    List<String> notes) {
  public GcSummary {
    events = List.copyOf(events);
    notes = List.copyOf(notes);
  }

  /** The same of a file of another name. */
  public GcSummary named(String name) {
    return new GcSummary(
        name,
        collector,
        events,
        seconds,
        heapBytes,
        youngBytes,
        oldBytes,
        promotedBytes,
        humongous,
        toSpaceExhausted,
        concurrentFailures,
        lines,
        notes);
  }

  /** Stops of the application, without stalls of single threads. */
  public List<GcEvent> pauses() {
    return events.stream().filter(event -> event.kind().stops()).toList();
  }

  public List<GcEvent> of(GcEvent.Kind kind) {
    return events.stream().filter(event -> event.kind() == kind).toList();
  }

  /** Milliseconds of all pauses. */
  public double pausedMillis() {
    return pauses().stream().mapToDouble(GcEvent::millis).sum();
  }

  /** Share of the time that the application stood still, 0 to 1. */
  public double pausedShare() {
    return seconds <= 0 ? 0 : pausedMillis() / 1_000 / seconds;
  }

  /** A quantile of the pauses' lengths, milliseconds; 0 without pauses. */
  public double quantile(double q) {
    double[] sorted = pauses().stream().mapToDouble(GcEvent::millis).sorted().toArray();
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  }

  public double longest() {
    return pauses().stream().mapToDouble(GcEvent::millis).max().orElse(0);
  }

  /** Collections of the young generation per second. */
  public double youngPerSecond() {
    long young = of(GcEvent.Kind.YOUNG).size() + of(GcEvent.Kind.MIXED).size();
    return seconds <= 0 ? 0 : young / seconds;
  }

  /** Bytes that the application allocated per second, from heap use between collections. */
  public double allocatedPerSecond() {
    long allocated = 0;
    long last = -1;
    for (GcEvent event : events) {
      if (event.before() >= 0 && event.after() >= 0) {
        allocated += last >= 0 ? Math.max(0, event.before() - last) : 0;
        last = event.after();
      }
    }
    return seconds <= 0 ? 0 : allocated / seconds;
  }

  /** Bytes in use after the last full, mixed or old collection, else the smallest after any. */
  public long liveBytes() {
    long full = -1;
    long least = -1;
    for (GcEvent event : events) {
      if (event.after() >= 0) {
        full =
            event.kind() == GcEvent.Kind.FULL || event.kind() == GcEvent.Kind.MIXED
                ? event.after()
                : full;
        least = least < 0 ? event.after() : Math.min(least, event.after());
      }
    }
    return full >= 0 ? full : least;
  }
}
