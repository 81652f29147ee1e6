package io.millrace.doctor.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.snapshot.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PublishedReportTest {
  private static final String MILLRACE = "GET /_millrace";
  private static final String CREATE = "PUT /.millrace-doctor";
  private static final String WRITE = "PUT /.millrace-doctor/_doc/latest";

  private final Examination examination =
      Examination.of(
          Sick.cluster().logs("index.refresh_interval", "1s").snapshot(), Catalogue.all());
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, String> bodies = new ConcurrentHashMap<>();

  /** Publishes to a server that answers "status body". */
  private void publish(Examination what, Function<String, String> answers) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
          asked.add(request);
          bodies.put(
              request,
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          String answer = answers.apply(request);
          byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (ClusterClient client =
        new ClusterClient(ClientOptions.local(server.getAddress().getPort()))) {
      PublishedReport.publish(client, what, "http://h:1");
    } finally {
      server.stop(0);
    }
  }

  private String body(String request) {
    return Objects.requireNonNull(bodies.get(request), request);
  }

  @Test
  void makesAHiddenIndexAndOneDocument() throws Exception {
    publish(examination, request -> "200 {\"acknowledged\":true}");
    assertEquals(List.of(MILLRACE, CREATE, WRITE), asked);
    JsonNode created = Json.MAPPER.readTree(body(CREATE));
    assertTrue(created.at("/settings/index.hidden").asBoolean(), created::toString);
    assertFalse(created.at("/mappings/dynamic").asBoolean(true), created::toString);
    JsonNode document = Json.MAPPER.readTree(body(WRITE));
    assertEquals(examination.findings().size(), document.path("findings").size());
    JsonNode finding = document.path("findings").get(0);
    assertEquals(examination.findings().getFirst().check().id(), finding.path("check").asText());
    assertEquals(
        examination.findings().getFirst().subjects().size(),
        finding.path("subjects_total").asInt());
    assertEquals(examination.counts(), document.path("counts").asText());
  }

  @Test
  void theNextReportReplacesIt() throws Exception {
    publish(
        examination,
        request ->
            request.equals(CREATE)
                ? "400 {\"error\":{\"type\":\"resource_already_exists_exception\"}}"
                : "200 {\"result\":\"updated\"}");
    assertEquals(WRITE, asked.getLast());
  }

  @Test
  void itsSizeDoesNotGrowWithTheCluster() throws Exception {
    Finding small = examination.findings().getFirst();
    List<Call> calls = Collections.nCopies(400, new Call("PUT", "/i/_settings", "{}"));
    Finding large =
        new Finding(
            small.check(),
            small.severity(),
            small.what(),
            Collections.nCopies(5_000, "an-index-with-a-name"),
            small.evidence(),
            Fix.calls(calls, calls),
            1);
    Examination many =
        new Examination(examination.snapshot(), List.of(large), examination.looked(), Map.of());
    publish(many, request -> "200 {}");
    String body = body(WRITE);
    assertTrue(body.length() < 20_000, "characters " + body.length());
    JsonNode finding = Json.MAPPER.readTree(body).path("findings").get(0);
    assertEquals(5_000, finding.path("subjects_total").asInt());
    assertEquals(400, finding.at("/fix/calls_total").asInt());
    assertEquals(5, finding.at("/undo/calls").size());
    assertEquals(20, finding.path("subjects").size());
  }

  @Test
  void aClusterWithoutADashboardIsNotWrittenTo() {
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class,
            () ->
                publish(
                    examination,
                    request -> "400 {\"error\":\"no handler found for uri [/_millrace]\"}"));
    assertEquals(ExitCode.CLUSTER, failure.exitCode());
    assertTrue(failure.getMessage().contains("no handler found"), failure.getMessage());
    assertTrue(String.valueOf(failure.remedy()).contains("Only Millrace nodes"));
    assertEquals(List.of(MILLRACE), asked);
  }

  @Test
  void whoMayNotWriteIsToldWhatIsMissing() {
    for (String refused : List.of(CREATE, WRITE)) {
      ExpectedFailure failure =
          assertThrows(
              ExpectedFailure.class,
              () ->
                  publish(
                      examination,
                      request ->
                          request.equals(refused)
                              ? "403 {\"error\":{\"type\":\"security_exception\",\"reason\":\"no permissions\"}}"
                              : "200 {}"));
      assertEquals(ExitCode.CLUSTER, failure.exitCode());
      assertTrue(failure.getMessage().contains("HTTP 403 no permissions"), failure.getMessage());
      assertTrue(String.valueOf(failure.remedy()).contains(".millrace-doctor"));
    }
  }
}
