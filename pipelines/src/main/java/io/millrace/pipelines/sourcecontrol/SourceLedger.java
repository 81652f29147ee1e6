package io.millrace.pipelines.sourcecontrol;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.opensearch.common.unit.TimeValue;

/**
 * What came in per source, for the last seven days in UTC.
 *
 * <p>Memory is bounded, whatever names senders make up: a day keeps {@link #SOURCES} sources by the
 * space-saving algorithm of Metwally, Agrawal and El Abbadi (2005). A new source takes the place of
 * the one with the fewest bytes and starts from these; so every source with more than one
 * thousandth of the day's bytes is there, and no count is too low.
 */
final class SourceLedger {
  static final int SOURCES = 1_000;
  private static final int DAYS = 7;
  private static final int SHOWN = 20;
  private static final long DAY = TimeValue.timeValueDays(1).millis();

  /**
   * Who wrote, as far as it can be told.
   *
   * @param service empty where no field of the document says it
   * @param sender key or user; empty where the node recognizes nobody
   */
  record Source(String index, String service, String sender) {}

  /** What happened to one budget today. */
  private static final class Spent {
    private long bytes;
    private long dropped;
  }

  private static final class Day {
    private final SourceTally all = new SourceTally();
    private final Map<Source, SourceTally> sources = new HashMap<>();
    private final Map<Budget, Spent> budgets = new LinkedHashMap<>();
  }

  private final LongSupplier clock;
  private final TreeMap<Long, Day> days = new TreeMap<>(Comparator.reverseOrder());

  /**
   * @param clock milliseconds since the epoch
   */
  SourceLedger(LongSupplier clock) {
    this.clock = clock;
  }

  private Day today() {
    long number = Math.floorDiv(clock.getAsLong(), DAY);
    Day day = days.computeIfAbsent(number, ignored -> new Day());
    while (days.size() > DAYS) {
      days.remove(days.lastKey());
    }
    return day;
  }

  /**
   * Adds what one bulk brought.
   *
   * @param all exact counts of it
   * @param sources those of its sources, estimated from the documents that were read
   */
  synchronized void add(SourceTally all, Map<Source, SourceTally> sources) {
    Day today = today();
    today.all.add(all);
    sources.forEach((source, tally) -> tallyOf(today, source).add(tally));
  }

  private static SourceTally tallyOf(Day day, Source source) {
    SourceTally known = day.sources.get(source);
    if (known != null) {
      return known;
    }
    SourceTally fresh = new SourceTally();
    if (day.sources.size() >= SOURCES) {
      Map.Entry<Source, SourceTally> least =
          day.sources.entrySet().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().bytes()))
              .orElseThrow();
      day.sources.remove(least.getKey());
      fresh.inherit(least.getValue().bytes());
    }
    day.sources.put(source, fresh);
    return fresh;
  }

  /** Bytes that a budget has used today. */
  synchronized long spent(Budget budget) {
    Spent spent = today().budgets.get(budget);
    return spent == null ? 0 : spent.bytes;
  }

  /** Charges a budget with a line that came, or counts it as dropped. */
  synchronized void spend(Budget budget, long bytes, boolean dropped) {
    Spent spent = today().budgets.computeIfAbsent(budget, ignored -> new Spent());
    if (dropped) {
      spent.dropped++;
    } else {
      spent.bytes += bytes;
    }
  }

  /** How many budgets are used up today. */
  synchronized long exceeded() {
    return today().budgets.entrySet().stream()
        .filter(each -> each.getValue().bytes >= each.getKey().day())
        .count();
  }

  /** The days, the newest first, each with its largest sources. */
  synchronized List<Map<String, Object>> report() {
    List<Map<String, Object>> out = new ArrayList<>();
    days.forEach((number, day) -> {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("day", LocalDate.ofEpochDay(number).toString());
      one.putAll(day.all.report());
      one.remove("levels"); // only documents that are read tell theirs
      List<Map<String, Object>> top = new ArrayList<>();
      day.sources.entrySet().stream()
          .sorted(
              Comparator.comparingLong((Map.Entry<Source, SourceTally> e) -> e.getValue().bytes())
                  .reversed())
          .limit(SHOWN)
          .forEach(entry -> {
            Map<String, Object> source = new LinkedHashMap<>();
            source.put("index", entry.getKey().index());
            source.put("service", entry.getKey().service());
            if (!entry.getKey().sender().isEmpty()) {
              source.put("sender", entry.getKey().sender());
            }
            source.putAll(entry.getValue().report());
            top.add(source);
          });
      one.put("top", top);
      List<Map<String, Object>> budgets = new ArrayList<>();
      day.budgets.forEach((budget, spent) -> {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("budget", budget.text());
        line.put("bytes", spent.bytes);
        line.put("exceeded", spent.bytes >= budget.day());
        line.put("dropped", spent.dropped);
        budgets.add(line);
      });
      one.put("budgets", budgets);
      out.add(one);
    });
    return out;
  }
}
