package io.millrace.it.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.tune.PlanText;
import io.millrace.doctor.tune.Planner;
import io.millrace.doctor.tune.TuneJournal;
import io.millrace.doctor.tune.TunePlan;
import io.millrace.doctor.tune.Tuner;
import io.millrace.doctor.tune.Use;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.http.JsonHttp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults that can be planted over the API of a stock node: each is found by its check, is gone
 * after the requests that the report prints, and what undoes them restores every setting. And tune
 * on the same node: applied, looked at, undone.
 */
class PlantedFaultsIT {
  @RegisterExtension static final SharedCluster STOCK = SharedCluster.of(Tree.STOCK, 1);

  @TempDir Path folder;

  /**
   * A fault.
   *
   * @param check that finds it
   * @param index of its own; empty for a setting of the cluster
   * @param body of the request that makes the index, or of the cluster settings
   * @param written whether documents are written to it while the doctor looks
   * @param cured whether the report prints requests that cure it
   */
  private record Plant(String check, String index, String body, boolean written, boolean cured) {
    static Plant setting(String check, String index, String... settings) {
      StringBuilder body = new StringBuilder("{\"settings\":{\"index.number_of_replicas\":0");
      for (int i = 0; i < settings.length; i += 2) {
        body.append(",\"").append(settings[i]).append("\":\"").append(settings[i + 1]).append('"');
      }
      return new Plant(check, index, body.append("}}").toString(), true, true);
    }

    static Plant mapping(String check, String index, String mapping) {
      return new Plant(
          check,
          index,
          "{\"settings\":{\"index.number_of_replicas\":0},\"mappings\":" + mapping + "}",
          false,
          false);
    }

    static Plant cluster(String check, String key, String value) {
      return new Plant(
          check, "", "{\"persistent\":{\"" + key + "\":\"" + value + "\"}}", false, true);
    }
  }

  private static final List<Plant> PLANTS =
      List.of(
          Plant.setting("refresh-interval", "app-logs-2026.11.21", "index.refresh_interval", "1s"),
          Plant.setting("durability-async", "orders", "index.translog.durability", "async"),
          Plant.setting(
              "sync-interval",
              "sync-logs",
              "index.translog.durability",
              "async",
              "index.translog.sync_interval",
              "120s"),
          Plant.setting(
              "flush-threshold",
              "flush-logs",
              "index.translog.flush_threshold_size",
              "32mb",
              "index.translog.generation_threshold_size",
              "8mb"),
          Plant.setting(
              "generation-threshold",
              "generation-logs",
              "index.translog.flush_threshold_size",
              "64mb",
              "index.translog.generation_threshold_size",
              "128mb"),
          new Plant(
              "replicas-many",
              "many-logs",
              "{\"settings\":{\"index.number_of_replicas\":2}}",
              true,
              true),
          new Plant("health-yellow", "alone", "{}", false, true),
          Plant.mapping("source-disabled", "sourceless", "{\"_source\":{\"enabled\":false}}"),
          Plant.mapping(
              "text-fielddata",
              "fielddata",
              "{\"properties\":{\"t\":{\"type\":\"text\",\"fielddata\":true}}}"),
          new Plant(
              "derived-source-loses",
              "derived",
              "{\"settings\":{\"index.number_of_replicas\":0,\"index.derived_source.enabled\":true},"
                  + "\"mappings\":{\"properties\":{\"m\":{\"type\":\"match_only_text\"}}}}",
              false,
              false),
          Plant.mapping("fields-many", "wide", fields(850, "{\"type\":\"keyword\"}")),
          Plant.mapping(
              "text-keyword-doubles",
              "doubles",
              fields(25, "{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}}")),
          Plant.cluster("excluded-nodes", "cluster.routing.allocation.exclude._name", "nobody"),
          Plant.cluster("allocation-disabled", "cluster.routing.allocation.enable", "primaries"),
          Plant.cluster("shard-limit", "cluster.max_shards_per_node", "16"));

  private static String fields(int count, String field) {
    StringBuilder mapping = new StringBuilder("{\"properties\":{");
    for (int i = 0; i < count; i++) {
      mapping.append(i == 0 ? "" : ",").append("\"f").append(i).append("\":").append(field);
    }
    return mapping + "}}";
  }

  private static void plant(JsonHttp http, List<Plant> plants) {
    for (Plant plant : plants) {
      http.put(plant.index().isEmpty() ? "/_cluster/settings" : "/" + plant.index(), plant.body())
          .ok();
    }
  }

  private static void write(JsonHttp http, List<Plant> plants) {
    StringBuilder body = new StringBuilder();
    for (Plant plant : plants) {
      if (plant.written()) {
        body.append(Lines.bulk(0, 3, n -> "{\"index\":{\"_index\":\"" + plant.index() + "\"}}"));
      }
    }
    if (!body.isEmpty()) {
      Lines.accepted(http.post("/_bulk", body.toString()));
    }
  }

  /**
   * A fault that stands alone is what the report begins with; what it says of the machine and of
   * other tests' indices, with and without the fault, does not count. Started with {@code
   * -Dmillrace.doctor.alone=true}: each fault takes two examinations.
   */
  @Test
  @EnabledIfSystemProperty(named = "millrace.doctor.alone", matches = "true")
  void eachAloneIsFirstOrSecond() throws Exception {
    JsonHttp http = STOCK.http();
    Patient patient = new Patient(http);
    for (Plant plant : PLANTS) {
      if (plant.check().equals("shard-limit")) {
        continue; // it takes the other faults' shards to come near it
      }
      List<Plant> one = List.of(plant);
      List<String> known = ids(patient.examine(() -> {}));
      plant(http, one);
      Examination sick = patient.examine(() -> write(http, one));
      List<String> added = new ArrayList<>(ids(sick));
      added.removeAll(known);
      int rank = added.indexOf(plant.check());
      assertTrue(rank == 0 || rank == 1, () -> plant.check() + " in " + added);
      if (plant.index().isEmpty()) {
        http.put("/_cluster/settings", plant.body().replaceFirst("\":\"[^\"]*\"}}$", "\":null}}"))
            .ok();
      } else {
        http.delete("/" + plant.index()).ok();
      }
    }
  }

  private static List<String> ids(Examination examination) {
    return examination.findings().stream().map(finding -> finding.check().id()).toList();
  }

  @Test
  void eachIsFoundCuredByWhatIsPrintedAndBroughtBack() throws Exception {
    JsonHttp http = STOCK.http();
    plant(http, PLANTS);
    Patient patient = new Patient(http);
    String before = patient.settings();
    Examination sick = patient.examine(() -> write(http, PLANTS));
    List<Finding> cured = new ArrayList<>();
    for (Plant plant : PLANTS) {
      Finding finding =
          Patient.finding(sick, plant.check())
              .orElseThrow(
                  () -> new AssertionError(plant.check() + " is not among " + sick.findings()));
      if (!plant.index().isEmpty()) {
        assertTrue(finding.subjects().contains(plant.index()), finding::toString);
      }
      assertFalse(finding.evidence().isEmpty(), finding::toString);
      assertEquals(plant.cured(), !finding.fix().calls().isEmpty(), finding::toString);
      if (plant.cured()) {
        cured.add(finding);
      }
    }
    cured.forEach(finding -> patient.send(finding.fix().calls()));
    Examination healthy = patient.examine(() -> write(http, PLANTS));
    cured.forEach(finding ->
        assertEquals(
            List.of(),
            Patient.finding(healthy, finding.check().id()).stream().toList(),
            finding.check().id()));
    cured.reversed().forEach(finding -> patient.send(finding.fix().undo()));
    assertEquals(before, patient.settings());
  }

  @Test
  void tuneIsAppliedSeenByTheDoctorAndUndone() throws Exception {
    JsonHttp http = STOCK.http();
    http.put(
            "/_index_template/shop",
            "{\"index_patterns\":[\"shop-*\"],\"priority\":3,\"_meta\":{\"team\":\"a\"},\"template\":{"
                + "\"settings\":{\"refresh_interval\":\"1s\",\"number_of_replicas\":0},"
                + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}},\"aliases\":{\"all\":{}}}}")
        .ok();
    http.put(
            "/_template/bill",
            "{\"index_patterns\":[\"bill-*\"],\"order\":2,\"settings\":{\"refresh_interval\":\"1s\"}}")
        .ok();
    http.put("/shop-2026.11.21", "{}").ok();
    http.put("/bill-2026.11.21", "{\"settings\":{\"index.number_of_replicas\":0}}").ok();
    http.put(
            "/pay-2026.11.21",
            "{\"settings\":{\"index.number_of_replicas\":0,\"index.translog.generation_threshold_size\":\"32mb\"}}")
        .ok();
    http.put("/audit", "{\"settings\":{\"index.number_of_replicas\":0}}").ok();
    Lines.load(http, "audit", 1, 20);
    http.post("/audit/_refresh").ok();
    String before = everything(http);
    TunePlan plan;
    try (ClusterClient client = new ClusterClient(ClientOptions.of(http.base()))) {
      plan =
          Planner.plan(
              new Collector(client, Limits.DEFAULT, text -> {}).collect(Planner.READS),
              Use.LOGS,
              List.of(),
              true,
              path -> Tuner.get(client, path));
      assertEquals(before, everything(http));
      assertEquals(List.of("audit"), plan.closings(), PlanText.of(plan, "here"));
      try (TuneJournal journal = TuneJournal.create(folder.resolve("j"), plan)) {
        new Tuner(client, journal, text -> {}).apply();
        STOCK.get().awaitYellow();
        assertEquals(
            20, http.get("/audit/_count").ok().at("/count").asInt(), "nothing is lost by closing");
        for (String next : List.of("shop", "bill", "pay")) {
          http.put("/" + next + "-2026.11.22", "{}").ok();
          String settings =
              http.get("/" + next + "-2026.11.22/_settings?flat_settings=true").ok().body();
          assertTrue(settings.contains("\"index.refresh_interval\":\"30s\""), settings);
          assertTrue(settings.contains("\"index.codec\":\"best_compression\""), settings);
          http.delete("/" + next + "-2026.11.22").ok();
        }
        Examination seen =
            new Patient(http).examine(() -> Lines.load(http, "shop-2026.11.21", 1, 3));
        assertTrue(Patient.finding(seen, "refresh-interval").isEmpty());
        assertEquals(List.of(), new Tuner(client, journal, text -> {}).undo());
      }
    }
    assertEquals(before, everything(http));
  }

  private static String everything(JsonHttp http) {
    return http.get("/_all/_settings?flat_settings=true").ok().body()
        + http.get("/_index_template").ok().body()
        + http.get("/_template").ok().body()
        + http.get("/_cat/indices?h=index,status&s=index").ok().body();
  }
}
