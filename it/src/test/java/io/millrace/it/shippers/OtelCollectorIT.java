package io.millrace.it.shippers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.otlp.LogBatch;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The OpenTelemetry Collector, built from its Go modules, with the exporter that the page of
 * shippers has, in front of a node that refuses the first requests: every record arrives once.
 *
 * <p>Run with {@code -Dmillrace.shippers.collector=true}: the first build of a machine compiles for
 * some minutes.
 */
@EnabledIfSystemProperty(named = "millrace.shippers.collector", matches = "true")
class OtelCollectorIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private static final int BATCHES = 20;
  private static final int SIZE = 100;
  private static final int REFUSED = 2;

  @Test
  void everyRecordArrivesOnce() throws Exception {
    Path collector = built();
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
                pipelines: {logs: {receivers: [otlp], exporters: [otlp_http]}}
              """
                  .formatted(port));
      try (Running running =
          Running.start(
              folder, List.of("" + collector, "--config", "file:" + configuration), Map.of())) {
        send(running, port);
        Await.until(
            "every record",
            Duration.ofMinutes(3),
            () -> {
              http.post("/logs-otel-v1-*/_refresh");
              return http.get("/logs-otel-v1-*/_count").at("/count").asInt() >= BATCHES * SIZE;
            });
        assertEquals(0, node.left(), "requests that were to be refused");
        running.process().destroy();
        assertTrue(running.process().waitFor(1, TimeUnit.MINUTES), running.said());
      }
      LogBatch.assertThereOnce(http, "logs-otel-v1-*", BATCHES, SIZE);
    } finally {
      Folders.remove(folder);
    }
  }

  /** The collector, made once per checkout; a test is skipped where its modules cannot be had. */
  private static Path built() throws IOException {
    Path folder = Path.of("target/shippers/otelcol").toAbsolutePath();
    Path binary = folder.resolve("otelcol");
    if (!Files.exists(binary)) {
      Folders.copy(Path.of("src/test/resources/otelcol"), folder);
      Files.move(folder.resolve("main.go.txt"), folder.resolve("main.go"));
      try {
        Outcome got = Commands.run(folder, Map.of(), List.of("go", "mod", "download"));
        Assumptions.assumeTrue(got.exitCode() == 0, "NOT TESTED, no modules: " + got);
      } catch (IOException e) {
        Assumptions.abort("NOT TESTED: the collector needs go: " + e.getMessage());
      }
      Commands.run(folder, Map.of(), List.of("go", "build", "-o", binary.toString(), ".")).ok();
    }
    return binary;
  }

  private static void send(Running running, int port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int number = 0; number < BATCHES; number++) {
        LogBatch batch =
            new LogBatch(number, (long) number * SIZE, SIZE, System.currentTimeMillis(), 3);
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/logs"))
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(batch.otlp()))
                .build();
        Await.until(
            "the collector to take a request",
            Duration.ofMinutes(1),
            () ->
                !running.process().isAlive()
                    || client.send(request, BodyHandlers.discarding()).statusCode() == 200);
        assertTrue(running.process().isAlive(), running.said());
      }
    }
  }
}
