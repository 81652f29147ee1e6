package io.millrace.observe.alarms;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the guards counted, read through the kernel's metrics: a guard that saves the node in
 * silence leaves somebody wondering why a client gets 429. The stock counters do not move then,
 * since no stock breaker trips and no pool rejects.
 */
public final class GuardFigures {
  private static final Map<String, List<String>> UPLOADS =
      Map.of("guard.inbound-budget", List.of("refusals", "slow_senders"));
  private static final Map<String, List<String>> READERS =
      Map.of("guard.outbound-budget", List.of("stalled_readers", "pressed_out"));
  private static final Map<String, List<String>> REQUESTS =
      Map.of(
          "guard.request-breaker",
          List.of("searches_over_limit", "searches_shed", "reduces_over_limit", "bulks_over_limit"),
          "guard.gc-debt",
          List.of("shed", "cancelled"));

  private static final Map<String, List<String>> WAIT =
      Map.of("guard.inbound-budget", List.of("longest_wait"));

  private final List<Metric> uploads;
  private final List<Metric> readers;
  private final List<Metric> requests;
  private final List<Metric> wait;

  /**
   * @param features those of this node; guards that are not among them count nothing
   */
  GuardFigures(List<Feature> features) {
    uploads = metrics(features, UPLOADS);
    readers = metrics(features, READERS);
    requests = metrics(features, REQUESTS);
    wait = metrics(features, WAIT);
  }

  /** Names of metrics by feature that these figures are made of; for the test that they exist. */
  public static List<Map<String, List<String>>> names() {
    return List.of(UPLOADS, READERS, REQUESTS, WAIT);
  }

  private static List<Metric> metrics(List<Feature> features, Map<String, List<String>> names) {
    List<Metric> found = new ArrayList<>();
    for (Feature feature : features) {
      List<String> wanted = names.getOrDefault(feature.id(), List.of());
      feature.metrics().stream()
          .filter(metric -> wanted.contains(metric.name()))
          .forEach(found::add);
    }
    return List.copyOf(found);
  }

  Counts read() {
    return new Counts(sum(uploads), sum(readers), sum(requests), sum(wait));
  }

  private static long sum(List<Metric> metrics) {
    double sum = 0;
    for (Metric metric : metrics) {
      for (Sample sample : metric.samples().get()) {
        sum += sample.value();
      }
    }
    return (long) sum;
  }

  /**
   * Counts since the node's start, and one wait of now.
   *
   * @param uploads bodies that waited too long for memory, and senders closed as too slow
   * @param readers peers closed because they did not read
   * @param requests searches and bulks stopped or refused for the heap
   * @param waitMillis for how long the body waits that has waited longest for memory
   */
  record Counts(long uploads, long readers, long requests, long waitMillis) {
    static final Counts NONE = new Counts(0, 0, 0, 0);
  }
}
