package io.millrace.it.guard;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Asks a Millrace node four times a second for its alarms and for what its guards count, from the
 * start of a storm. The moment a guard first acts is when the condition of its alarm holds.
 */
final class AlarmWatch implements AutoCloseable {
  /** Every alarm of the guards, and which counters of which feature make it fire. */
  private static final Map<String, Map<String, List<String>>> CAUSES =
      Map.of(
          "slow_uploads",
          Map.of("guard.inbound-budget", List.of("refusals", "slow_senders")),
          "slow_readers",
          Map.of("guard.outbound-budget", List.of("stalled_readers", "pressed_out")),
          "requests_stopped",
          Map.of(
              "guard.request-breaker",
              List.of(
                  "searches_over_limit", "searches_shed", "reduces_over_limit", "bulks_over_limit"),
              "guard.gc-debt",
              List.of("shed", "cancelled")));

  private static final double LIMIT_SECONDS = 10;

  private final JsonHttp http;
  private final long beganNanos = System.nanoTime();
  private final long beganMillis = System.currentTimeMillis();
  private final Map<String, Double> acted = new TreeMap<>();
  private final Map<String, Double> fired = new TreeMap<>();
  private final Thread thread = new Thread(this::run, "alarms");
  private volatile boolean ended;

  AlarmWatch(int port) {
    http = new JsonHttp(URI.create("http://127.0.0.1:" + port), Duration.ofSeconds(2));
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!ended) {
      try {
        look();
        Thread.sleep(250);
      } catch (UncheckedIOException | AssertionError e) {
        // it is busy; what it counts is there at the next look
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void look() {
    JsonNode stats = http.get("/_millrace/stats").ok().json();
    double at = (System.nanoTime() - beganNanos) / 1e9;
    JsonNode alarms = http.get("/_millrace/alarms").ok().json();
    synchronized (acted) {
      CAUSES.forEach((alarm, causes) -> {
        if (causes.entrySet().stream()
            .anyMatch(cause ->
                cause.getValue().stream()
                    .anyMatch(metric -> figure(stats, cause.getKey(), metric) > 0))) {
          acted.putIfAbsent(alarm, at);
        }
      });
      for (JsonNode node : alarms.findValues("alarms")) {
        for (Map.Entry<String, JsonNode> alarm : node.properties()) {
          if (alarm.getValue().path("firing").asBoolean()) {
            long since = alarm.getValue().path("since_in_millis").asLong();
            fired.putIfAbsent(alarm.getKey(), (since - beganMillis) / 1e3);
          }
        }
      }
    }
  }

  /** A metric of {@code GET /_millrace/stats}; 0 where there is none. */
  static long figure(JsonNode stats, String feature, String metric) {
    for (JsonNode value : stats.findValues(feature)) {
      JsonNode found = value.at("/metrics/" + metric + "/value");
      if (!found.isMissingNode()) {
        return found.asLong();
      }
    }
    return 0;
  }

  /** Every alarm with its seconds after the start of the storm, and after its guard first acted. */
  String told() {
    StringJoiner told = new StringJoiner(", ").setEmptyValue("none");
    synchronized (acted) {
      fired.forEach((alarm, at) -> {
        Double cause = acted.get(alarm);
        told.add(
            cause == null
                ? String.format(Locale.ROOT, "%s %.1f s", alarm, at)
                : String.format(
                    Locale.ROOT,
                    "%s %.1f s (%.1f s after the guard)",
                    alarm,
                    at,
                    Math.max(0, at - cause)));
      });
    }
    return told.toString();
  }

  /** The longest time from a guard's first act to its alarm, in seconds; infinite without it. */
  double latest() {
    double latest = 0;
    synchronized (acted) {
      for (Map.Entry<String, Double> act : acted.entrySet()) {
        Double at = fired.get(act.getKey());
        latest = Math.max(latest, at == null ? Double.POSITIVE_INFINITY : at - act.getValue());
      }
    }
    return latest;
  }

  /** Whether every guard that acted was named by its alarm in time. */
  boolean kept() {
    return latest() <= LIMIT_SECONDS;
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    http.close();
    thread.join(5000);
  }
}
