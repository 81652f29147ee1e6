package io.millrace.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * No alarm in a quiet hour, on request: the real distribution with 1 GB of heap under {@link
 * NormalLoad}. Every alarm's state is asked every five seconds, which is how often a node judges;
 * the node's own count of alarms that started tells of any in between. At the end a threshold that
 * cannot hold shows that this test would have seen one.
 *
 * <p>{@code target/quiet-hour.md} has, for each alarm, the highest value beside its threshold: how
 * far away the hour stayed.
 *
 * <p>{@code ./millrace test QuietHourIT -- -Dmillrace.quiet.minutes=60}
 */
@EnabledIfSystemProperty(named = "millrace.quiet.minutes", matches = "[1-9][0-9]*")
class QuietHourIT {
  private static final int MINUTES = Integer.getInteger("millrace.quiet.minutes", 60);
  private static final Path TABLE = Path.of("target", "quiet-hour.md");
  private static final Set<String> ALL =
      Set.of(
          "allocation_stalls",
          "full_collections",
          "heap_high",
          "rejected_writes",
          "rejected_searches",
          "breaker_trips",
          "refresh_lag",
          "merge_debt",
          "disk");

  /** What was seen of one alarm. */
  private static final class Seen {
    double highest = Double.NEGATIVE_INFINITY;
    double lowest = Double.POSITIVE_INFINITY;
    double threshold;
    boolean firing;
  }

  private final Map<String, Seen> seen = new TreeMap<>();
  private final List<String> fires = new ArrayList<>();
  private final Instant begin = Instant.now();
  private int looks;

  @Test
  void noAlarmUnderNormalLoad() throws Exception {
    try (Cluster cluster =
            Cluster.of(Tree.MILLRACE, 1)
                .optimized()
                .heap("1g")
                // the alarm judges by the cluster's own watermarks, which test clusters have off
                .set("cluster.routing.allocation.disk.threshold_enabled", "true")
                .start();
        JsonHttp asker = new JsonHttp(cluster.http().base());
        NormalLoad load = new NormalLoad(cluster.http()).start()) {
      long cpu = cluster.node(0).process().cpuNanos();
      Instant end = Instant.now().plus(Duration.ofMinutes(MINUTES));
      Await.until("the first reading", Duration.ofMinutes(1), () -> !alarms(asker).isEmpty());
      while (Instant.now().isBefore(end)) {
        look(asker);
        if (looks % 12 == 1) {
          write(cluster, asker, load, cpu);
        }
        Thread.sleep(5000);
      }
      look(asker);
      write(cluster, asker, load, cpu);
      assertEquals(List.of(), fires);
      assertEquals(0, fired(asker), "the node counts alarms that no look saw");
      assertFalse(cluster.node(0).log().contains("] fires: "), "the log tells of an alarm");
      assertEquals(ALL, seen.keySet());
      assertEquals(List.of(), load.failures());
      assertTrue(
          load.acknowledged() > MINUTES * 60L * 500 / 2,
          "the load was not the promised one: " + load.acknowledged() + " documents");
      wouldHaveSeenOne(asker);
    }
  }

  private void wouldHaveSeenOne(JsonHttp asker) {
    asker
        .put(
            "/_cluster/settings",
            "{\"transient\":{\"millrace.observe.alarms.heap_percent\":1,"
                + "\"millrace.observe.alarms.heap_for\":\"0s\"}}")
        .ok();
    Await.until(
        "an alarm with a threshold that cannot hold",
        Duration.ofSeconds(60),
        () -> {
          look(asker);
          return !fires.isEmpty();
        });
    assertTrue(fired(asker) > 0);
  }

  private static JsonNode alarms(JsonHttp asker) {
    return first(asker.get("/_millrace/alarms").ok().at("/nodes")).path("alarms");
  }

  private static JsonNode first(JsonNode nodes) {
    assertTrue(nodes.elements().hasNext(), "no node answered");
    return nodes.elements().next();
  }

  private void look(JsonHttp asker) {
    looks++;
    alarms(asker)
        .properties()
        .forEach(entry -> {
          JsonNode alarm = entry.getValue();
          Seen one = seen.computeIfAbsent(entry.getKey(), name -> new Seen());
          double value = alarm.path("value").asDouble();
          one.highest = Math.max(one.highest, value);
          one.lowest = Math.min(one.lowest, value);
          one.threshold = alarm.path("threshold").asDouble();
          boolean firing = alarm.path("firing").asBoolean();
          if (firing && !one.firing) {
            fires.add(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + entry);
            System.out.println(fires.getLast());
          }
          one.firing = firing;
        });
  }

  /** How many alarms started, by the node's own count. */
  private static long fired(JsonHttp asker) {
    JsonNode stats = asker.get("/_millrace/stats?feature=observe.alarms").ok().json();
    JsonNode fired = stats.findValue("fired");
    assertTrue(fired != null, "no count of alarms in " + stats);
    return fired.path("value").asLong();
  }

  private void write(Cluster cluster, JsonHttp asker, NormalLoad load, long cpuBefore)
      throws IOException {
    double minutes = Duration.between(begin, Instant.now()).toMillis() / 60_000.0;
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s, %.1f of %d minutes: %d looks; %,d documents, %,d searches, %d indices deleted,"
                + " %d requests failed; %.0f CPU-seconds of the node; %d alarms fired",
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            minutes,
            MINUTES,
            looks,
            load.acknowledged(),
            load.searches(),
            load.deleted(),
            load.failures().size(),
            (cluster.node(0).process().cpuNanos() - cpuBefore) / 1e9,
            fires.size()));
    JsonNode gc = first(asker.get("/_millrace/gc").ok().at("/nodes"));
    lines.add("");
    lines.add("pauses: " + gc.path("pauses"));
    lines.add("");
    lines.add("| alarm | value, lowest | highest | threshold |");
    lines.add("|---|---|---|---|");
    seen.forEach((name, one) ->
        lines.add(
            String.format(
                Locale.ROOT,
                "| `%s` | %.2f | %.2f | %.2f |",
                name,
                one.lowest,
                one.highest,
                one.threshold)));
    lines.add("");
    lines.addAll(fires);
    lines.addAll(load.failures());
    Files.write(TABLE, lines);
  }
}
