package io.millrace.it.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.report.PublishedReport;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.top.Sampler;
import io.millrace.doctor.top.TopOrder;
import io.millrace.doctor.top.TopSample;
import io.millrace.doctor.top.TopView;
import io.millrace.doctor.tune.Planner;
import io.millrace.doctor.tune.Tuning;
import io.millrace.doctor.tune.Tunings;
import io.millrace.doctor.tune.Use;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The doctor finds nothing wrong with what is well: {@code millrace.doctor.rounds} times on a node
 * of each kind while it is written to and searched.
 *
 * <p>What is wrong with the machine that runs the test is not the cluster's fault: a check of swap,
 * of file descriptors or of a CPU limit may speak where the machine has the fault, and only there.
 */
class HealthyClustersIT {
  private static final int ROUNDS = Integer.getInteger("millrace.doctor.rounds", 6);

  @Test
  void stockIsWell() throws Exception {
    // not a shared one: what other tests made it refuse is counted since its start
    try (Cluster cluster = Cluster.of(Tree.STOCK, 1).start()) {
      well(cluster.http());
      refusesToPublish(cluster.http());
      topShowsWhatIsWritten(cluster.http(), false);
    }
  }

  @Test
  void millraceIsWellAndTuneSaysWhatItsProfilesSay() throws Exception {
    try (Cluster cluster = Cluster.of(Tree.MILLRACE, 1).start()) {
      well(cluster.http());
      publishes(cluster.http());
      topShowsWhatIsWritten(cluster.http(), true);
      tuneSaysWhatTheProfilesSay(cluster.http());
    }
  }

  /** Started with {@code -Dmillrace.doctor.three=true}: three nodes take a while. */
  @Test
  @EnabledIfSystemProperty(named = "millrace.doctor.three", matches = "true")
  void threeNodesAreWell() throws Exception {
    for (Tree tree : Tree.values()) {
      try (Cluster cluster = Cluster.of(tree, 3).start()) {
        well(cluster.http());
      }
    }
  }

  private static void well(JsonHttp http) throws InterruptedException {
    int nodes = http.get("/_cluster/health").ok().at("/number_of_nodes").asInt();
    int replicas = Math.min(1, nodes - 1);
    http.put(
            "/logs-app-2026.11.21",
            "{\"settings\":{\"index.number_of_replicas\":" + replicas + "}}")
        .ok();
    http.get("/_cluster/health?wait_for_status=green&timeout=60s").ok();
    Set<String> machine = faultsOfThisMachine(http);
    Patient patient = new Patient(http);
    for (int round = 0; round < ROUNDS; round++) {
      int from = round * 50;
      Examination examination =
          patient.examine(() -> {
            Lines.accepted(http.post("/logs-app-2026.11.21/_bulk", Lines.bulk(from, from + 50)));
            http.get("/logs-app-2026.11.21/_search?q=level:ERROR").ok();
          });
      List<String> complaints =
          Patient.complaints(examination).stream()
              .filter(text -> !machine.contains(text.substring(0, text.indexOf(':'))))
              .toList();
      assertEquals(List.of(), complaints, "round " + round);
      assertTrue(examination.looked() > 60, examination.blind()::toString);
    }
  }

  /** Facts of the machine by the checks that rightly name them. */
  private static Set<String> faultsOfThisMachine(JsonHttp http) {
    JsonNode nodes = http.get("/_nodes/stats/os,process").ok().json().path("nodes");
    Set<String> faults = new TreeSet<>();
    for (JsonNode node : nodes) {
      if (node.at("/os/swap/total_in_bytes").asLong() > 0) {
        faults.add("swap");
      }
      if (node.at("/process/max_file_descriptors").asLong() < 65_535) {
        faults.add("file-descriptors");
      }
      if (node.at("/os/cgroup/cpu/cfs_quota_micros").asLong() > 0) {
        faults.add("cpu-throttled");
      }
    }
    return faults;
  }

  private static void refusesToPublish(JsonHttp http) throws InterruptedException {
    Examination examination = new Patient(http).examine(() -> {});
    try (ClusterClient client = new ClusterClient(ClientOptions.of(http.base()))) {
      ExpectedFailure failure =
          assertThrows(
              ExpectedFailure.class,
              () -> PublishedReport.publish(client, examination, client.given()));
      assertEquals(ExitCode.CLUSTER, failure.exitCode());
    }
    assertEquals(404, http.get("/" + PublishedReport.INDEX).status());
  }

  /** The dashboard reads it with this search, and nobody else finds it. */
  private static void publishes(JsonHttp http) throws InterruptedException {
    String search =
        "/" + PublishedReport.INDEX + "/_search?ignore_unavailable=true&allow_no_indices=true";
    assertEquals(0, http.get(search).ok().json().at("/hits/hits").size());
    Patient patient = new Patient(http);
    for (int run = 0; run < 2; run++) {
      Examination examination = patient.examine(() -> {});
      try (ClusterClient client = new ClusterClient(ClientOptions.of(http.base()))) {
        PublishedReport.publish(client, examination, client.given());
      }
      JsonNode hits = http.get(search).ok().json().at("/hits/hits");
      assertEquals(1, hits.size(), hits.toString());
      assertEquals(
          examination.findings().size(), hits.at("/0/_source/findings").size(), hits.toString());
      assertEquals(examination.snapshot().taken().toString(), hits.at("/0/_source/taken").asText());
    }
    JsonNode health = http.get("/_cluster/health/" + PublishedReport.INDEX).ok().json();
    assertEquals("green", health.path("status").asText(), health.toString());
    assertFalse(http.get("/_all/_settings").ok().body().contains(PublishedReport.INDEX));
    assertEquals(
        List.of(),
        Patient.complaints(patient.examine(() -> {})).stream()
            .filter(c -> c.contains(PublishedReport.INDEX))
            .toList());
  }

  /** What tune says is what the profiles of the node say. */
  private static void tuneSaysWhatTheProfilesSay(JsonHttp http) throws Exception {
    JsonNode profiles = http.get("/_millrace/profiles").ok().json();
    Snapshot snapshot;
    try (ClusterClient client = new ClusterClient(ClientOptions.of(http.base()))) {
      snapshot = new Collector(client, Limits.DEFAULT, text -> {}).collect(Planner.READS);
    }
    for (Use use : List.of(Use.LOGS, Use.TRACES)) {
      http.put(
              "/drift-" + use.text(),
              "{\"settings\":{\"index.millrace.profile\":\"" + use.text() + "\"}}")
          .ok();
      JsonNode index =
          http.get("/drift-" + use.text() + "/_settings?flat_settings=true&include_defaults=true")
              .ok()
              .json()
              .path("drift-" + use.text());
      TreeMap<String, String> said = new TreeMap<>();
      TreeMap<String, String> set = new TreeMap<>();
      for (Tuning tuning : Tunings.of(use, snapshot)) {
        said.put(tuning.key(), String.valueOf(tuning.value()));
        String own = index.path("settings").path(tuning.key()).asText(null);
        set.put(
            tuning.key(), own == null ? index.path("defaults").path(tuning.key()).asText("") : own);
      }
      assertEquals(set, said, profiles.toString());
    }
  }

  private static void topShowsWhatIsWritten(JsonHttp http, boolean millrace) throws Exception {
    http.put("/logs-busy", "{\"settings\":{\"index.number_of_replicas\":0}}").ok();
    http.put("/logs-quiet", "{\"settings\":{\"index.number_of_replicas\":0}}").ok();
    try (ClusterClient client = new ClusterClient(ClientOptions.of(http.base()))) {
      Sampler sampler = new Sampler(client);
      sampler.check();
      TopSample first = sampler.take(List.of("logs-busy"));
      Lines.load(http, "logs-busy", 3, 100);
      TopSample last = sampler.take(List.of("logs-busy"));
      TopView view = new TopView(first, last, TopOrder.WRITES);
      String page = String.join("\n", view.lines(sampler.cluster(), 140, 60));
      assertEquals("logs-busy", view.busiest().getFirst(), page);
      assertTrue(page.contains("logs-busy 0") && page.contains("primary"), page);
      assertTrue(page.contains("node-0") && page.contains("THREAD"), page);
      assertEquals(millrace, page.contains("WAITING"), page);
      assertTrue(last.missing().isEmpty(), () -> last.missing().toString());
    }
  }
}
