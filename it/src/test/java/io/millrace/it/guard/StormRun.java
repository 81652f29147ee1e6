package io.millrace.it.guard;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.guard.StormRow.End;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One storm over one new node, and what is left of it. */
final class StormRun {
  private static final double LONGEST_OUTAGE = 5;
  private static final int HEAP_PERCENT = 60;
  private static final double HEAP_SECONDS = 30;
  private static final double LEAST_PERCENT = 95;
  private static final long SMALL_PACE_MILLIS = 200;

  /** The largest body that a storm announces. */
  private static final long BODY = 60L << 20;

  /**
   * How long it lasts, in seconds.
   *
   * @param hold K1 to K5
   * @param overload writes at 4x
   */
  record Times(int hold, int overload) {}

  private final Cluster cluster;
  private final ClusterNode node;
  private final StormKind storm;
  private final StormSetup side;
  private final Acknowledgements small = new Acknowledgements("small");
  private final Acknowledgements bulks = new Acknowledgements("kept");
  private final Map<String, Map<String, Integer>> answers = new TreeMap<>();
  private final List<String> misses = new ArrayList<>();
  private String own = "";
  private double percent = Double.NaN;

  private StormRun(Cluster cluster, StormKind storm, StormSetup side) {
    this.cluster = cluster;
    this.node = cluster.node(0);
    this.storm = storm;
    this.side = side;
  }

  static StormRow of(int run, StormKind storm, StormSetup side, Times times) throws Exception {
    try (Cluster cluster = side.start(storm.heap())) {
      return new StormRun(cluster, storm, side).run(run, times);
    }
  }

  private StormRow run(int run, Times times) throws Exception {
    storm.prepare(node.http());
    @Nullable AlarmWatch alarms = side.ours() ? new AlarmWatch(node.port()) : null;
    Clients writer = Clients.writing(node.port(), 1, 50, SMALL_PACE_MILLIS, small);
    long began = System.nanoTime();
    double outage;
    double heapSeconds;
    End end;
    try (HealthGaps gaps = new HealthGaps(node.port())) {
      if (storm == StormKind.WRITES) {
        overload(times.overload());
      } else {
        hold(times.hold());
      }
      heapSeconds = heapSeconds(gaps);
      end = end(gaps);
      outage = gaps.longestOutage();
    } finally {
      writer.close();
      if (alarms != null) {
        alarms.close();
      }
    }
    long offered = (System.nanoTime() - began) / (SMALL_PACE_MILLIS * 1_000_000);
    boolean outOfMemory = node.log().contains("java.lang.OutOfMemoryError");
    String told = "";
    if (alarms != null) {
      told = alarms.told();
      judge(outage, outOfMemory, end, heapSeconds, alarms);
    }
    long lost = lost(end);
    promise(lost == 0, "an acknowledged document is lost");
    return new StormRow(
        run,
        storm,
        side,
        outage,
        outOfMemory,
        end,
        heapSeconds,
        small.count() + bulks.count(),
        lost,
        String.format(Locale.ROOT, "%d of %d, p99 %.2f s", writer.done(), offered, writer.p99()),
        answers,
        told,
        alarms == null ? 0 : alarms.latest(),
        percent,
        own,
        misses);
  }

  private void hold(int seconds) throws InterruptedException {
    Map<String, Visitors> come = storm.come(node.port(), bulks);
    Thread.sleep(seconds * 1000L);
    come.forEach((name, visitors) -> answers.put(name, visitors.answers()));
    for (Visitors visitors : come.values()) {
      visitors.close();
    }
  }

  private void overload(int seconds) throws InterruptedException {
    Overload done = Overload.run(node.port(), seconds, bulks);
    own = done.told();
    percent = done.percent();
    promise(
        done.percent() >= LEAST_PERCENT,
        String.format(Locale.ROOT, "%.0f %% of the capacity at 4x", done.percent()));
  }

  private void promise(boolean kept, String miss) {
    if (side.ours() && !kept) {
      misses.add(miss);
    }
  }

  private void judge(
      double outage, boolean outOfMemory, End end, double heapSeconds, AlarmWatch alarms) {
    promise(outage <= LONGEST_OUTAGE, "an outage over 5 s");
    promise(!outOfMemory, "an OutOfMemoryError");
    promise(end == End.SERVES, "it does not serve");
    promise(heapSeconds <= HEAP_SECONDS, "heap");
    promise(alarms.kept(), "a guard acted and no alarm came within 10 s");
    if (end != End.SERVES) {
      return;
    }
    JsonNode stats = node.http().get("/_millrace/stats").ok().json();
    StringBuilder held = new StringBuilder(own);
    for (String budget : List.of("small", "large")) {
      long peak = AlarmWatch.figure(stats, "guard.inbound-budget", budget + "_peak");
      long limit = AlarmWatch.figure(stats, "guard.inbound-budget", budget + "_limit");
      held.append(
          String.format(
              Locale.ROOT,
              "%s%s bodies held %d of %d MB",
              held.isEmpty() ? "" : "; ",
              budget,
              peak >> 20,
              limit >> 20));
      promise(peak <= limit + BODY, "accepted bytes above the budget and one body");
    }
    own = held.toString();
  }

  /** Seconds until the heap was below the mark, while the probe and the small client go on. */
  private double heapSeconds(HealthGaps gaps) throws InterruptedException {
    long left = System.nanoTime();
    double below = Double.POSITIVE_INFINITY;
    try (JsonHttp http = new JsonHttp(URI.create(node.http().base() + ""), Duration.ofSeconds(2))) {
      double now = 0;
      while (now < HEAP_SECONDS && node.alive()) {
        if (HeapUse.percent(http) < HEAP_PERCENT && Double.isInfinite(below)) {
          below = (System.nanoTime() - left) / 1e9;
        }
        now = (System.nanoTime() - left) / 1e9;
        if (now >= LONGEST_OUTAGE && !Double.isInfinite(below) && gaps.silence() < 1) {
          break; // it is as before
        }
        Thread.sleep(250);
      }
    }
    return below;
  }

  private End end(HealthGaps gaps) throws InterruptedException {
    if (!node.alive()) {
      return End.DEAD;
    }
    long before = gaps.answers();
    Thread.sleep(2500);
    return gaps.answers() > before ? End.SERVES : node.alive() ? End.ZOMBIE : End.DEAD;
  }

  /** Counted on the node, which is started anew when it does not serve. */
  private long lost(End end) {
    if (end != End.SERVES) {
      node.kill();
      node.start();
      node.awaitAnswer();
      cluster.awaitYellow();
    }
    return storm.lost(node.http()) + small.lost(node.http()) + bulks.lost(node.http());
  }
}
