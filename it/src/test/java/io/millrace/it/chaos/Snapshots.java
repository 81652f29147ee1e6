package io.millrace.it.chaos;

import io.millrace.it.chaos.Histories.Key;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Snapshots of one index after the other while everything else goes on, each restored under another
 * name and compared: what was acknowledged before it began is in it, and it counts as one read of
 * every document between its begin and its end. One that the faults keep from succeeding is not
 * looked at.
 */
final class Snapshots implements Runnable {
  private static final int PAUSE_MILLIS = 2_000;

  private final Cluster cluster;
  private final Histories histories;
  private final List<Appended> indices;
  private final Windows windows;
  private final Random random;
  private final BooleanSupplier ended;
  private final List<Violation> violations = new ArrayList<>();
  private final List<Violation> excused = new ArrayList<>();
  private int compared;
  private int failed;

  Snapshots(
      Cluster cluster,
      Histories histories,
      List<Appended> indices,
      Windows windows,
      long seed,
      BooleanSupplier ended) {
    this.cluster = cluster;
    this.histories = histories;
    this.indices = indices;
    this.windows = windows;
    this.random = new Random(seed);
    this.ended = ended;
  }

  /** Names the repository that every node can write to. */
  static void register(JsonHttp http, String folder) {
    http.put("/_snapshot/chaos", "{\"type\":\"fs\",\"settings\":{\"location\":\"" + folder + "\"}}")
        .ok();
  }

  @Override
  public void run() {
    for (int number = 1; !ended.getAsBoolean(); number++) {
      ClusterNode node = cluster.node(random.nextInt(cluster.nodes().size()));
      Appended index = indices.get(random.nextInt(indices.size()));
      try (JsonHttp http =
          new JsonHttp(URI.create("http://127.0.0.1:" + node.port()), Duration.ofSeconds(20))) {
        compared += once(http, index, number) ? 1 : 0;
      } catch (UncheckedIOException | AssertionError e) {
        failed++; // a fault came between
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private boolean once(JsonHttp http, Appended index, int number) {
    List<Key> known = histories.keys(index.index());
    long start = System.nanoTime();
    JsonAnswer taken =
        http.put(
                "/_snapshot/chaos/s" + number + "?wait_for_completion=true",
                "{\"indices\":\"" + index.index() + "\",\"include_global_state\":false}")
            .ok();
    long end = System.nanoTime();
    if (!taken.at("/snapshot/state").asText().equals("SUCCESS")) {
      failed++;
      return false;
    }
    http.delete("/restored-*"); // what a fault has left
    String restored = "restored-" + number;
    http.post(
            "/_snapshot/chaos/s" + number + "/_restore?wait_for_completion=true",
            ("{\"indices\":\"%s\",\"include_global_state\":false,\"rename_pattern\":\"^.*$\","
                    + "\"rename_replacement\":\"%s\","
                    + "\"index_settings\":{\"index.number_of_replicas\":0}}")
                .formatted(index.index(), restored))
        .ok();
    Contents contents = Contents.of(http, restored, "_primary");
    compare(contents, index, known, start, end);
    http.delete("/" + restored).ok();
    http.delete("/_snapshot/chaos/s" + number);
    return true;
  }

  private void compare(Contents contents, Appended index, List<Key> known, long start, long end) {
    for (Key key : known) {
      Contents.Found found = contents.byId().get(key.id());
      histories.add(
          key,
          found == null
              ? Operation.read(Operation.ABSENT, start, end, Stamp.NONE, "snapshot")
              : Operation.read(found.value(), start, end, found.stamp(), "snapshot"));
    }
    List<Long> missing = index.missing(contents.appended(), start);
    if (!missing.isEmpty()) {
      (windows.isolated(start, end) ? excused : violations)
          .add(
              new Violation(
                  Violation.Kind.STALE,
                  index.index(),
                  "a snapshot lacks what was appended and acknowledged before it: " + missing));
    }
    contents
        .doubled()
        .forEach(text ->
            violations.add(
                new Violation(Violation.Kind.DOUBLED, index.index(), "in a snapshot: " + text)));
  }

  /** What restored snapshots showed; the reads of documents with ids are in the histories. */
  List<Violation> violations() {
    return violations;
  }

  /** The same while a node was cut off. */
  List<Violation> excused() {
    return excused;
  }

  /** How many were restored and compared. */
  int compared() {
    return compared;
  }

  /** How many there were, for the report. */
  String counts() {
    return compared + " snapshots restored and compared, " + failed + " failed";
  }
}
