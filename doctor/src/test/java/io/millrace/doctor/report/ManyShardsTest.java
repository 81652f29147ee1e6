package io.millrace.doctor.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cluster of 10,000 shards is asked no more than a small one, and its report stays readable. */
class ManyShardsTest {
  private static final int INDICES = 5_000;
  private static final Limits LIMITS = Limits.DEFAULT.window(Duration.ZERO);

  private final Map<Probe, byte[]> answers = new EnumMap<>(Probe.class);
  private final List<String> requests = new ArrayList<>();

  private void plant() {
    Snapshot healthy = Recorded.healthy();
    ObjectNode settings = Json.MAPPER.createObjectNode();
    ObjectNode stats = Json.MAPPER.createObjectNode();
    ObjectNode state = Json.MAPPER.createObjectNode();
    for (String id : List.of("1", "2", "3")) {
      state.withObject("/nodes").putObject("id" + id).put("name", "n" + id);
    }
    ObjectNode routing = state.putObject("routing_table").putObject("indices");
    for (int i = 0; i < INDICES; i++) {
      String name = "application-" + i % 250 + "-logs-2026.11." + (10 + i / 250);
      settings.set(name, healthy.get(Probe.INDEX_SETTINGS).path("products").deepCopy());
      stats
          .withObject("/indices")
          .set(name, healthy.get(Probe.INDEX_STATS).path("indices").path("products").deepCopy());
      ArrayNode copies = routing.putObject(name).putObject("shards").putArray("0");
      for (String node : List.of("id1", "id2")) {
        copies
            .addObject()
            .put("primary", node.equals("id1"))
            .put("state", "STARTED")
            .put("node", node);
      }
    }
    for (Probe probe : Probe.values()) {
      answers.put(probe, healthy.get(probe).toString().getBytes(StandardCharsets.UTF_8));
    }
    answers.put(Probe.INDEX_SETTINGS, settings.toString().getBytes(StandardCharsets.UTF_8));
    answers.put(Probe.INDEX_STATS, stats.toString().getBytes(StandardCharsets.UTF_8));
    answers.put(Probe.SHARDS, state.toString().getBytes(StandardCharsets.UTF_8));
  }

  private byte[] answer(String path) {
    for (Probe probe : Probe.values()) {
      String own = probe.path().replaceAll("\\?.*", "");
      String named = own.replace("{indices}", "");
      if (path.equals(own) || (own.contains("{indices}") && path.endsWith(named))) {
        return answers.get(probe);
      }
    }
    return "{}".getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void answersAndReportStayBounded() throws Exception {
    plant();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          synchronized (requests) {
            requests.add(exchange.getRequestURI().toString());
          }
          byte[] body = answer(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    Snapshot snapshot;
    try (ClusterClient client =
        new ClusterClient(
            ClientOptions.local(server.getAddress().getPort())
                .maxAnswerBytes(LIMITS.answerBytes()))) {
      snapshot = new Collector(client, LIMITS, text -> {}).collect();
    } finally {
      server.stop(0);
    }
    assertEquals(2 * INDICES, snapshot.shards().size());
    assertTrue(requests.size() < 25, requests::toString);
    for (String request : requests) {
      assertTrue(request.length() < 4_096, "the server refuses a longer line: " + request);
    }
    Examination examination = Examination.of(snapshot, Catalogue.all());
    assertTrue(
        examination.blind().values().stream().noneMatch(why -> why.startsWith("broke")),
        () -> examination.blind().toString());
    for (Finding finding : examination.findings()) {
      assertTrue(finding.evidence().size() <= Finding.MOST_EVIDENCE, finding.check().id());
      assertTrue(finding.what().length() < 500, finding.check().id());
    }
    String report = ReportFormat.TEXT.write(examination, "http://here");
    assertTrue(report.length() < 200_000, "characters " + report.length());
  }
}
