package io.millrace.doctor.gc;

import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.List;

/**
 * What follows from a GC log.
 *
 * @param of which case it is
 * @param what the case, with its numbers
 * @param cure what to change, with sizes
 */
public record GcAdvice(Case of, String what, String cure) {
  /** Pauses of ZGC take microseconds; this long ones come from below the JVM. */
  private static final double SPIKE_MILLIS = 20;

  /** What a log can show. */
  public enum Case {
    FULL,
    STALL,
    DEGENERATED,
    YOUNG,
    EXHAUSTED,
    HUMONGOUS,
    METASPACE,
    CONCURRENT_FAILURE,
    SHARE,
    LONG,
    SPIKE
  }

  /** The cases of a log, the gravest first; none for a log in which all is well. */
  public static List<GcAdvice> of(GcSummary log) {
    List<GcAdvice> found = new ArrayList<>();
    full(log, found);
    stalls(log, found);
    young(log, found);
    room(log, found);
    pauses(log, found);
    return found;
  }

  private static void full(GcSummary log, List<GcAdvice> found) {
    List<GcEvent> full =
        log.of(GcEvent.Kind.FULL).stream()
            .filter(e ->
                !e.cause().contains("System.gc")
                    && !e.cause().contains("Metadata")
                    && !e.cause().contains("Heap Inspection"))
            .toList();
    if (!full.isEmpty() && full.size() > log.seconds() / 3_600) {
      double millis = full.stream().mapToDouble(GcEvent::millis).sum();
      found.add(
          new GcAdvice(
              Case.FULL,
              full.size() + " full collections of " + Units.time(millis / full.size()) + " each",
              log.heapBytes() > 0 && log.liveBytes() > log.heapBytes() * 0.7
                  ? "The live set is "
                      + Units.size(log.liveBytes())
                      + " of "
                      + Units.size(log.heapBytes())
                      + ": give a heap of "
                      + Units.size(log.liveBytes() * 2.5)
                      + ", at most half of the memory, or take work away."
                  : earlier(log)));
    }
  }

  private static String earlier(GcSummary log) {
    if (log.collector().equals("G1")) {
      return "Let G1 begin earlier: -XX:InitiatingHeapOccupancyPercent=30.";
    }
    if (log.collector().matches("CMS|Parallel|Serial") && log.heapBytes() > 0) {
      long half = Math.max(1, log.heapBytes() >> 21);
      return "Let objects die young: -XX:NewSize=" + half + "m -XX:MaxNewSize=" + half + "m.";
    }
    return "Give the heap more room, at most half of the memory.";
  }

  private static void stalls(GcSummary log, List<GcAdvice> found) {
    List<GcEvent> stalls = log.of(GcEvent.Kind.STALL);
    if (!stalls.isEmpty()) {
      double millis = stalls.stream().mapToDouble(GcEvent::millis).sum();
      found.add(
          new GcAdvice(
              Case.STALL,
              stalls.size() + " allocation stalls, " + Units.time(millis) + " together",
              "Give ZGC more heap, -XX:ZAllocationSpikeTolerance=5, and half as many again -XX:ConcGCThreads; else use G1."));
    }
    List<GcEvent> degenerated = log.of(GcEvent.Kind.DEGENERATED);
    if (degenerated.size() > log.seconds() / 600 && !degenerated.isEmpty()) {
      found.add(
          new GcAdvice(
              Case.DEGENERATED,
              degenerated.size() + " degenerated collections",
              "Give Shenandoah more heap, or use G1 where throughput counts."));
    }
  }

  private static void young(GcSummary log, List<GcAdvice> found) {
    boolean fixed = log.collector().matches("CMS|Parallel|Serial");
    if (fixed
        && log.youngBytes() > 0
        && log.oldBytes() > 0
        && log.youngBytes() < log.oldBytes() / 5
        && log.heapBytes() >= (2L << 30) / 10 * 9) { // a survivor space is not in it
      long half = Math.max(1, log.heapBytes() / 2 >> 30);
      found.add(
          new GcAdvice(
              Case.YOUNG,
              "the young generation is "
                  + Units.size(log.youngBytes())
                  + ", the old one "
                  + Units.size(log.oldBytes())
                  + ": 1 to "
                  + Math.round((double) log.oldBytes() / log.youngBytes()),
              "-XX:NewSize="
                  + half
                  + "g -XX:MaxNewSize="
                  + half
                  + "g, half of the heap, so that what a bulk allocates dies there."));
    }
  }

  private static void room(GcSummary log, List<GcAdvice> found) {
    if (log.toSpaceExhausted() > 0) {
      found.add(
          new GcAdvice(
              Case.EXHAUSTED,
              log.toSpaceExhausted() + " evacuations found no room (to-space exhausted)",
              "-XX:G1ReservePercent=25 and -XX:InitiatingHeapOccupancyPercent=30, or a larger heap."));
    }
    if (log.humongous() > 5 && log.humongous() * 5 > log.pauses().size()) {
      found.add(
          new GcAdvice(
              Case.HUMONGOUS,
              log.humongous() + " pauses for humongous objects",
              "Objects of half a region or more: -XX:G1HeapRegionSize=16m (32m for a heap of 16 GB and more), and smaller bulks."));
    }
    long metadata =
        log.events().stream().filter(e -> e.cause().contains("Metadata GC Threshold")).count();
    if (metadata > 5) {
      found.add(
          new GcAdvice(
              Case.METASPACE,
              metadata + " collections only because room for classes ran out",
              "-XX:MetaspaceSize=256m, so that it does not grow in steps, each with a collection; when they go on for hours, look for scripts that are compiled again and again."));
    }
    if (log.concurrentFailures() > 0) {
      found.add(
          new GcAdvice(
              Case.CONCURRENT_FAILURE,
              log.concurrentFailures()
                  + " times CMS began too late (concurrent mode failure or promotion failed)",
              "-XX:CMSInitiatingOccupancyFraction=65 with -XX:+UseCMSInitiatingOccupancyOnly, and a larger young generation; G1 on JDK 11 and newer."));
    }
  }

  private static void pauses(GcSummary log, List<GcAdvice> found) {
    if (log.seconds() >= 60 && log.pausedShare() >= 0.1) {
      found.add(
          new GcAdvice(
              Case.SHARE,
              Units.percent(log.pausedShare()) + " of the time in pauses",
              "Allocation is "
                  + Units.size(log.allocatedPerSecond())
                  + "/s: a larger heap up to half of the memory makes collections rarer."));
    }
    if (log.collector().equals("ZGC") && log.longest() >= SPIKE_MILLIS) {
      long spikes = log.pauses().stream().filter(e -> e.millis() >= SPIKE_MILLIS).count();
      found.add(
          new GcAdvice(
              Case.SPIKE,
              spikes
                  + " pauses of ZGC of "
                  + Units.time(SPIKE_MILLIS)
                  + " or more, the longest "
                  + Units.time(log.longest()),
              "Turn automatic NUMA balancing off: sysctl -w kernel.numa_balancing=0, and the same line in /etc/sysctl.conf (=1 undoes it). Then see whether the machine has swap or a CPU limit."));
    }
    if (log.longest() >= 1_000) {
      found.add(
          new GcAdvice(
              Case.LONG,
              "the longest pause took " + Units.time(log.longest()),
              "See its kind and cause above; with swap on the machine first lock the memory (bootstrap.memory_lock: true)."));
    }
  }
}
