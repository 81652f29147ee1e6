package io.millrace.observe.alarms;

import io.millrace.observe.alarms.Alarm.Severity;
import io.millrace.observe.alarms.Reading.Watermark;
import io.millrace.observe.nodes.NodeReportSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges readings against thresholds. What is counted is judged over the last minute, so an alarm
 * fires with the first reading after the event (every five seconds) and ends a minute after the
 * last one; without a reading a minute ago nothing is judged but what moved since the first.
 *
 * <p>A late refresh must be late in two readings in a row. A wait is a state, not a count: a single
 * one of four seconds, where one second is promised, passes by itself on a node that merges,
 * collects or just started, and nobody can do anything about it (1.83 times the promise after the
 * start of a node in QuietHourIT, on a busy machine).
 */
public final class Alarms implements NodeReportSource {
  private static final long MINUTE = 60_000_000_000L;
  private static final int LATE_READINGS = 2;

  private final Deque<Reading> readings = new ArrayDeque<>();
  private final Map<String, Long> firingSinceMillis = new HashMap<>();
  private long heapHighSince = Long.MIN_VALUE;
  private int lateReadings;
  private List<Alarm> alarms = List.of();
  private long fired;

  /**
   * Takes a reading.
   *
   * @param wallMillis the time of day, for {@code since}
   * @return the alarms that started or ended with it
   */
  synchronized List<Alarm> read(Reading now, Thresholds limits, long wallMillis) {
    readings.addLast(now);
    alarms = judge(aMinuteBefore(now), now, limits);
    List<Alarm> changed = new ArrayList<>();
    for (Alarm alarm : alarms) {
      if (alarm.firing() && firingSinceMillis.putIfAbsent(alarm.name(), wallMillis) == null) {
        fired++;
        changed.add(alarm);
      } else if (!alarm.firing() && firingSinceMillis.remove(alarm.name()) != null) {
        changed.add(alarm);
      }
    }
    return changed;
  }

  /**
   * The last reading that is a minute old, else the first: after a stall in which nobody could read
   * it is the one from before the stall, however old, so that what the stall did is counted.
   */
  private Reading aMinuteBefore(Reading now) {
    Reading then = readings.removeFirst();
    while (!readings.isEmpty() && now.nanos() - readings.getFirst().nanos() >= MINUTE) {
      then = readings.removeFirst();
    }
    readings.addFirst(then);
    return then;
  }

  private List<Alarm> judge(Reading then, Reading now, Thresholds limits) {
    double heap = now.heapAfterRatio() * 100;
    if (limits.heapPercent() == 0 || heap < limits.heapPercent()) {
      heapHighSince = Long.MIN_VALUE;
    } else if (heapHighSince == Long.MIN_VALUE) {
      heapHighSince = now.nanos();
    }
    boolean heapHigh =
        heapHighSince != Long.MIN_VALUE && now.nanos() - heapHighSince >= limits.heapForNanos();
    boolean late = limits.refreshLag() > 0 && now.mostLate() >= limits.refreshLag();
    lateReadings = late ? lateReadings + 1 : 0;
    return List.of(
        counted(
            "allocation_stalls",
            Severity.CRITICAL,
            now.allocationStalls() - then.allocationStalls(),
            limits.allocationStalls(),
            "Threads wait for ZGC to free memory",
            "Raise the heap or ConcGCThreads, or take load off the node; see GET /_millrace/gc"),
        counted(
            "full_collections",
            Severity.CRITICAL,
            now.fullCollections() - then.fullCollections(),
            limits.fullCollections(),
            "A full collection stopped every thread",
            "Find what fills the heap: breakers, fielddata, large bulks and aggregations"),
        new Alarm(
            "heap_high",
            Severity.WARNING,
            heapHigh,
            Math.round(heap),
            limits.heapPercent(),
            "Most of the heap lives on after collections",
            "Fewer shards, smaller caches, or a larger heap (half of the memory, at most 31 GB)"),
        counted(
            "rejected_writes",
            Severity.CRITICAL,
            now.rejectedWrites() - then.rejectedWrites(),
            limits.rejectedWrites(),
            "Writes are refused",
            "Clients must retry with a pause; look for hot shards, merges that hold back, slow"
                + " disks"),
        counted(
            "rejected_searches",
            Severity.WARNING,
            now.rejectedSearches() - then.rejectedSearches(),
            limits.rejectedSearches(),
            "Searches are refused",
            "Look for slow and wide searches: GET _tasks?actions=*search&detailed"),
        counted(
            "breaker_trips",
            Severity.WARNING,
            now.breakerTrips() - then.breakerTrips(),
            limits.breakerTrips(),
            "Circuit breakers refuse requests",
            "Make requests smaller: bulk size, aggregation size, fielddata; see GET"
                + " _nodes/stats/breaker"),
        new Alarm(
            "refresh_lag",
            Severity.WARNING,
            lateReadings >= LATE_READINGS,
            Math.round(now.mostLate() * 100) / 100.0,
            limits.refreshLag(),
            now.latestIndex().isEmpty()
                ? "Writes are searchable in time"
                : "Writes to [" + now.latestIndex() + "] wait longest against their promise",
            "Look at GET /_millrace/freshness, the refresh thread pool and the disk"),
        counted(
            "merge_debt",
            Severity.WARNING,
            now.throttledMillis() - then.throttledMillis(),
            limits.throttledMillis(),
            "Merges hold indexing back",
            "The disk is slower than the writes: longer refresh interval, faster disk, more nodes"),
        counted(
            "uploads_wait",
            Severity.WARNING,
            now.guards().waitMillis(),
            limits.uploadsWaitMillis(),
            "Request bodies wait for memory before they are read: more comes than the node takes",
            "Fewer or smaller bulks at once, look for clients that stall, or add nodes; see GET"
                + " /_millrace/stats?feature=guard.inbound-budget"),
        counted(
            "slow_uploads",
            Severity.WARNING,
            now.guards().uploads() - then.guards().uploads(),
            limits.slowUploads(),
            "Request bodies waited too long for memory (429) or came too slowly and were closed",
            "Look for clients that stall and for bulks that are too large or too many at once; see"
                + " GET /_millrace/stats?feature=guard.inbound-budget"),
        counted(
            "slow_readers",
            Severity.WARNING,
            now.guards().readers() - then.guards().readers(),
            limits.slowReaders(),
            "Clients that do not read their responses were closed",
            "Look for clients that hang or ask for more than they read: deep pages, pipelined"
                + " searches; the log names their addresses"),
        counted(
            "requests_stopped",
            Severity.WARNING,
            now.guards().requests() - then.guards().requests(),
            limits.requestsStopped(),
            "Searches or bulks were stopped before they filled the heap",
            "The log names each with its source: fewer buckets, hits and collected values, smaller"
                + " bulks"),
        new Alarm(
            "disk",
            now.disk().compareTo(Watermark.HIGH) >= 0 ? Severity.CRITICAL : Severity.WARNING,
            now.disk() != Watermark.NONE,
            Math.round(now.diskFreeRatio() * 1000) / 10.0,
            now.disk().ordinal(),
            switch (now.disk()) {
              case NONE -> "Every data path is below the low watermark";
              case LOW -> "A data path is past the low watermark: no new shards come here";
              case HIGH -> "A data path is past the high watermark: shards are moved away";
              case FLOOD_STAGE -> "A data path is past the flood stage: writes are blocked";
            },
            "Delete or move old indices, or add disk; see GET _cat/allocation"));
  }

  private static Alarm counted(
      String name, Severity severity, long count, long threshold, String what, String action) {
    return new Alarm(
        name,
        severity,
        threshold > 0 && count >= threshold,
        Math.max(0, count),
        threshold,
        what,
        action);
  }

  /** Forgets everything; for the switch. */
  synchronized void clear() {
    readings.clear();
    alarms = List.of();
    firingSinceMillis.clear();
    heapHighSince = Long.MIN_VALUE;
    lateReadings = 0;
  }

  /** The alarms of the last reading; empty before the first. */
  synchronized List<Alarm> alarms() {
    return alarms;
  }

  /** How often an alarm started. */
  synchronized long fired() {
    return fired;
  }

  @Override
  public synchronized Map<String, Object> report() {
    Map<String, Object> byName = new LinkedHashMap<>();
    int firing = 0;
    for (Alarm alarm : alarms) {
      Map<String, Object> one = new LinkedHashMap<>(alarm.report());
      Long since = firingSinceMillis.get(alarm.name());
      if (since != null) {
        one.put("since_in_millis", since);
        firing++;
      }
      byName.put(alarm.name(), one);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("firing", firing);
    report.put("alarms", byName);
    return report;
  }
}
