package io.millrace.it.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.tune.Planner;
import io.millrace.doctor.tune.TuneJournal;
import io.millrace.doctor.tune.TunePlan;
import io.millrace.doctor.tune.Tuner;
import io.millrace.doctor.tune.Use;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A field report as a cluster: three nodes with heaps that grow under load, daily indices of many
 * applications with five shards each and an explicit refresh of a second, a template that makes the
 * next ones alike, and small bulks of many clients at once that fill a short write queue. It takes
 * minutes, so it runs when {@code -Dmillrace.doctor.tale=true} asks for it; it prints documents per
 * second before and after.
 */
@EnabledIfSystemProperty(named = "millrace.doctor.tale", matches = "true")
class FieldReportIT {
  private static final int APPLICATIONS = 12;
  private static final int CLIENTS = 16;

  @TempDir Path folder;

  @Test
  void oneReportTellsTheTaleAndTuneCuresWhatSettingsCan() throws Exception {
    try (Cluster cluster =
        Cluster.of(Tree.STOCK, 3)
            .optimized()
            .heap("768m")
            .jvm("-Xms384m")
            .set("thread_pool.write.queue_size", "10")
            .start()) {
      JsonHttp http = cluster.http();
      http.put(
              "/_template/business_log",
              "{\"index_patterns\":[\"*-2026.*\"],\"settings\":{\"index.refresh_interval\":\"1s\",\"index.number_of_shards\":5,\"index.number_of_replicas\":1}}")
          .ok();
      for (int i = 0; i < APPLICATIONS; i++) {
        http.put("/app" + i + "-prod-2026.11.21", "{}").ok();
      }
      cluster.awaitGreen();
      double before = load(http);
      Examination sick = new Patient(http).examine(() -> load(http));
      for (String check :
          List.of("heap-unequal", "refresh-interval", "write-queue-small", "write-rejections")) {
        assertTrue(
            Patient.finding(sick, check).isPresent(),
            () -> check + " is not among " + Patient.complaints(sick));
      }
      try (ClusterClient client = new ClusterClient(ClientOptions.of(http.base()))) {
        TunePlan plan =
            Planner.plan(
                new Collector(client, Limits.DEFAULT, text -> {}).collect(Planner.READS),
                Use.LOGS,
                List.of(),
                true,
                path -> Tuner.get(client, path));
        try (TuneJournal journal = TuneJournal.create(folder.resolve("j"), plan)) {
          new Tuner(client, journal, text -> {}).apply();
        }
      }
      double after = load(http);
      Examination cured = new Patient(http).examine(() -> load(http));
      assertEquals(List.of(), Patient.finding(cured, "refresh-interval").stream().toList());
      System.out.printf(
          java.util.Locale.ROOT, "documents per second: %.0f before, %.0f after%n", before, after);
    }
  }

  /** Small bulks of many clients; what is refused is not sent again, as their shippers did. */
  private static double load(JsonHttp http) {
    long begun = System.nanoTime();
    LongAdder taken = new LongAdder();
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      for (int bulk = 0; bulk < CLIENTS * 20; bulk++) {
        int n = bulk;
        clients.execute(() ->
            taken.add(
                http.post(
                        "/app" + n % APPLICATIONS + "-prod-2026.11.21/_bulk",
                        Lines.bulk(n * 30, n * 30 + 30))
                    .json()
                    .path("items")
                    .findValues("_shards")
                    .size()));
      }
    }
    return taken.sum() * 1e9 / (System.nanoTime() - begun);
  }
}
