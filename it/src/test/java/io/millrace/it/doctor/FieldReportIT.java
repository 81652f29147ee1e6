package io.millrace.it.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.gc.GcLog;
import io.millrace.doctor.gc.GcSummary;
import io.millrace.doctor.report.ReportFormat;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Given;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.tune.Planner;
import io.millrace.doctor.tune.TuneJournal;
import io.millrace.doctor.tune.TunePlan;
import io.millrace.doctor.tune.Tuner;
import io.millrace.doctor.tune.Use;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A field report as a cluster: three nodes whose heaps grow under load and whose young generation
 * is a twentieth of the heap, daily indices of many applications with five shards each and an
 * explicit refresh of a second, a template that makes the next ones alike, and small bulks of many
 * clients at once that fill a short write queue. What was refused is lost, as it was there.
 *
 * <p>It takes minutes, so it runs when {@code -Dmillrace.doctor.tale=true} asks for it; it prints
 * the report, and documents per second before and after.
 */
@EnabledIfSystemProperty(named = "millrace.doctor.tale", matches = "true")
class FieldReportIT {
  private static final int APPLICATIONS = 12;
  private static final int CLIENTS = 16;
  private static final int BULKS = CLIENTS * Integer.getInteger("millrace.doctor.tale.bulks", 60);
  private static final String DAY = "-prod-2026.11.21";

  /** What the report said, by the checks that say it. */
  private static final List<String> TALE =
      List.of(
          "heap-unequal",
          "young-generation-tiny",
          "gc-log",
          "write-rejections",
          "write-queue-small",
          "refresh-interval");

  @TempDir Path folder;

  @Test
  void oneReportTellsTheTaleTuneCuresWhatSettingsCanAndUndoBringsItBack() throws Exception {
    Path logs = Files.createDirectory(folder.resolve("gc"));
    // the nodes' user may be another one
    for (Path open : List.of(folder, logs)) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    try (Cluster cluster =
        Cluster.of(Tree.STOCK, 3)
            .optimized()
            .heap("2g")
            .jvm(
                "-Xms1536m",
                "-XX:-UseG1GC", // stock names it in its jvm.options
                "-XX:+UseParallelGC",
                "-XX:NewRatio=19",
                "-Xlog:gc*:file=" + logs.resolve("%p.log"))
            .set("thread_pool.write.queue_size", "10")
            .start()) {
      JsonHttp http = cluster.http();
      plant(http);
      cluster.awaitGreen();
      load(http); // compilers and mappings
      double before = load(http);
      Examination sick = report(cluster, logs);
      System.out.println(ReportFormat.TEXT.write(sick, http.base().toString()));
      for (String check : TALE) {
        assertTrue(
            Patient.finding(sick, check).isPresent(),
            () -> check + " is not among " + Patient.complaints(sick));
      }
      String was = everything(http);
      double after;
      Examination cured;
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
          after = load(http);
          cured = report(cluster, logs);
          nextDayIsCured(http);
          assertEquals(List.of(), new Tuner(client, journal, text -> {}).undo());
        }
      }
      assertEquals(was, everything(http));
      copiesAreCuredAndBroughtBack(http);
      assertEquals(List.of(), Patient.finding(cured, "refresh-interval").stream().toList());
      System.out.printf(
          Locale.ROOT,
          "documents per second: %.0f before, %.0f after; findings %s before, %s after%n",
          before,
          after,
          sick.counts(),
          cured.counts());
    }
  }

  private static void plant(JsonHttp http) {
    http.put(
            "/_template/business_log",
            "{\"index_patterns\":[\"*-2026.*\"],\"settings\":{\"index.refresh_interval\":\"1s\",\"index.number_of_shards\":5,\"index.number_of_replicas\":1}}")
        .ok();
    for (int i = 0; i < APPLICATIONS; i++) {
      http.put("/app" + i + DAY, "{}").ok();
    }
  }

  private static Examination report(Cluster cluster, Path logs) throws Exception {
    JsonHttp http = cluster.http();
    Examination seen = new Patient(http).examine(() -> load(http));
    List<GcSummary> gc = new ArrayList<>();
    for (ClusterNode node : cluster.nodes()) {
      gc.add(GcLog.read(logs.resolve(node.process().pid() + ".log")));
    }
    return Examination.of(seen.snapshot().with(new Given(gc, null, null)), Catalogue.all());
  }

  /** Faults of replicas, which need several nodes: cured by what is printed, and undone. */
  private static void copiesAreCuredAndBroughtBack(JsonHttp http) throws InterruptedException {
    http.put("/thin", "{\"settings\":{\"index.number_of_replicas\":0}}").ok();
    Lines.load(http, "thin", 1, 10);
    http.post("/thin/_refresh").ok();
    http.put("/greedy", "{\"settings\":{\"index.number_of_replicas\":5}}").ok();
    List<String> planted = List.of("replicas-none", "replicas-unassignable");
    Patient patient = new Patient(http);
    String sickSettings = patient.settings();
    Examination sick = patient.examine(() -> {});
    for (String check : planted) {
      patient.send(Patient.finding(sick, check).orElseThrow().fix().calls());
    }
    Examination healthy = patient.examine(() -> {});
    for (String check : planted) {
      assertEquals(List.of(), Patient.finding(healthy, check).stream().toList());
      patient.send(Patient.finding(sick, check).orElseThrow().fix().undo());
    }
    assertEquals(sickSettings, patient.settings());
    http.delete("/thin,greedy").ok();
  }

  private static void nextDayIsCured(JsonHttp http) {
    http.put("/app0-prod-2026.11.22", "{}").ok();
    String settings = http.get("/app0-prod-2026.11.22/_settings?flat_settings=true").ok().body();
    assertTrue(settings.contains("\"index.refresh_interval\":\"30s\""), settings);
    http.delete("/app0-prod-2026.11.22").ok();
  }

  private static String everything(JsonHttp http) {
    return new Patient(http).settings()
        + http.get("/_template").ok().body()
        + http.get("/_index_template").ok().body()
        + http.get("/_cat/indices?h=index,status&s=index").ok().body();
  }

  /** Small bulks of many clients; what is refused is not sent again, as their shippers did. */
  private static double load(JsonHttp http) {
    long begun = System.nanoTime();
    LongAdder taken = new LongAdder();
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      for (int bulk = 0; bulk < BULKS; bulk++) {
        int n = bulk;
        clients.execute(() ->
            taken.add(
                http.post(
                        "/app" + n % APPLICATIONS + DAY + "/_bulk", Lines.bulk(n * 30, n * 30 + 30))
                    .json()
                    .path("items")
                    .findValues("_shards")
                    .size()));
      }
    }
    return taken.sum() * 1e9 / (System.nanoTime() - begun);
  }
}
