package io.millrace.it.shippers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.otlp.LogBatch;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import io.millrace.testkit.http.JsonHttp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The OpenTelemetry Collector, built from its Go modules, with the exporter that the page of
 * shippers has, in front of a node that refuses the first requests: every log record and every span
 * arrives once.
 *
 * <p>Run with {@code -Dmillrace.shippers.collector=true}: the first build of a machine compiles for
 * some minutes.
 */
@EnabledIfSystemProperty(named = "millrace.shippers.collector", matches = "true")
class OtelCollectorIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private static final String LOGS = "logs-otel-v1-*";
  private static final String SPANS = "traces-otel-v1-*";
  private static final int BATCHES = 20;
  private static final int SIZE = 100;
  private static final int REFUSED = 2;

  @Test
  void everyRecordAndEverySpanArrivesOnce() throws Exception {
    Path collector = GoProgram.built("otelcol");
    JsonHttp http = CLUSTER.http();
    Path folder = Files.createTempDirectory("millrace-collector-");
    int port = FreePorts.free(1).get(0);
    try (ReluctantNode node = new ReluctantNode(http.base(), REFUSED)) {
      Path configuration = folder.resolve("collector.yaml");
      Files.writeString(
          configuration,
          Page.configuration("OpenTelemetry Collector", node.port())
              + """
              receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
              service:
                telemetry: {metrics: {level: none}}
                pipelines:
                  logs: {receivers: [otlp], exporters: [otlp_http]}
                  traces: {receivers: [otlp], exporters: [otlp_http]}
              """
                  .formatted(port));
      try (Running running =
          Running.start(
              folder, List.of("" + collector, "--config", "file:" + configuration), Map.of())) {
        send(running, port);
        Await.until(
            "every record and every span",
            Duration.ofMinutes(3),
            () -> count(http, LOGS) >= BATCHES * SIZE && count(http, SPANS) >= BATCHES);
        assertEquals(0, node.left(), "requests that were to be refused");
        running.process().destroy();
        assertTrue(running.process().waitFor(1, TimeUnit.MINUTES), running.said());
      }
      LogBatch.assertThereOnce(http, LOGS, BATCHES, SIZE);
      assertEquals(BATCHES, count(http, SPANS));
      for (int number = 0; number < BATCHES; number++) {
        String span = "/" + SPANS + "/_count?q=name:span-" + number;
        assertEquals(1, http.get(span).ok().at("/count").asInt(), "span " + number);
      }
    } finally {
      Folders.remove(folder);
    }
  }

  private static int count(JsonHttp http, String index) {
    http.post("/" + index + "/_refresh");
    return http.get("/" + index + "/_count").at("/count").asInt();
  }

  private static void send(Running running, int port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int number = 0; number < BATCHES; number++) {
        LogBatch batch =
            new LogBatch(number, (long) number * SIZE, SIZE, System.currentTimeMillis(), 3);
        taken(running, client, port, "logs", "x-protobuf", batch.otlp());
        taken(running, client, port, "traces", "json", span(number));
      }
    }
  }

  private static void taken(
      Running running, HttpClient client, int port, String signal, String form, byte[] body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/" + signal))
            .header("Content-Type", "application/" + form)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    Await.until(
        "the collector to take a request",
        Duration.ofMinutes(1),
        () ->
            !running.process().isAlive()
                || client.send(request, BodyHandlers.discarding()).statusCode() == 200);
    assertTrue(running.process().isAlive(), running.said());
  }

  /** A request with one span. */
  private static byte[] span(int number) {
    long nanos = System.currentTimeMillis() * 1_000_000;
    return """
    {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
    "scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","name":"span-%d","kind":2,
    "startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}
    """
        .formatted(number + 1, number + 1, number, nanos, nanos + 5_000_000)
        .getBytes(StandardCharsets.UTF_8);
  }
}
