package io.millrace.doctor.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.ClusterDiedException;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorTest {
  private final List<String> asked = new java.util.concurrent.CopyOnWriteArrayList<>();
  private boolean bundled;
  private final Limits quick = new Limits(Duration.ofSeconds(5), 1 << 20, Duration.ZERO, 40);

  /** A node on a port of the system that answers what a test says. */
  private Snapshot collect(java.util.function.BiFunction<String, Integer, String> answers)
      throws Exception {
    HttpServer server =
        HttpServer.create(
            new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          asked.add(exchange.getRequestMethod() + " " + path);
          String answer = answers.apply(path, asked.size());
          int status =
              answer.matches("(?s)\\d{3} .*") ? Integer.parseInt(answer.substring(0, 3)) : 200;
          byte[] body =
              (status == 200 ? answer : answer.substring(4)).getBytes(StandardCharsets.UTF_8);
          if (status == 599) {
            exchange.close();
            return;
          }
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (ClusterClient client =
        new ClusterClient(
            ClientOptions.local(server.getAddress().getPort())
                .maxAnswerBytes(quick.answerBytes()))) {
      Collector collector = new Collector(client, quick, text -> {});
      return (bundled ? collector.withStacks() : collector).collect();
    } finally {
      server.stop(0);
    }
  }

  private static String healthy(String path) {
    Snapshot healthy = Recorded.healthy();
    for (Probe probe : Probe.values()) {
      String own = probe.path().replaceAll("\\?.*", "");
      if (path.equals(own)
          || (own.contains("{indices}") && path.endsWith(own.substring(own.lastIndexOf('/'))))) {
        return healthy.get(probe).isMissingNode()
            ? "{}"
            : probe == Probe.HOT_THREADS ? "::: {n1}" : healthy.get(probe).toString();
      }
    }
    return "404 {}";
  }

  private long askedForStats() {
    return asked.stream().filter(line -> line.equals("GET /_nodes/stats")).count();
  }

  @Test
  void readsOnlyAndAsksForFigureTwice() throws Exception {
    Snapshot snapshot = collect((path, n) -> healthy(path));
    assertTrue(asked.stream().allMatch(line -> line.startsWith("GET ")), asked::toString);
    assertEquals(2, askedForStats());
    assertTrue(asked.size() < 25, asked::toString);
    assertEquals(3, snapshot.nodes().size());
    assertEquals(2, snapshot.indices().size());
    assertTrue(snapshot.indices().getFirst().mapping().has("properties"));
    assertFalse(Examination.of(snapshot, Catalogue.all()).has(Severity.WARN));
  }

  /** The first of two answers holds counters only; a version that knows less is asked for all. */
  @Test
  void aVersionThatRefusesANamedPartIsAskedForAll() throws Exception {
    Snapshot snapshot =
        collect((path, n) ->
            path.equals("/_nodes/stats") && askedForStats() % 2 == 1
                ? "400 {\"error\":{\"reason\":\"contains unrecognized metric\"}}"
                : healthy(path));
    assertEquals(4, askedForStats());
    assertEquals(3, snapshot.nodes().size());
    assertFalse(snapshot.first(Probe.STATS).isMissingNode());
    assertEquals(null, snapshot.missing(Probe.STATS));
  }

  private static String routing(String state) {
    return """
    {"nodes":{"id1":{"name":"n1"}},"routing_table":{"indices":{"products":{"shards":{"0":[
    {"primary":true,"state":"STARTED","node":"id1"},{"primary":false,"state":"%s","node":"id1"}
    ]}}}}}\
    """
        .formatted(state);
  }

  /** No check reads them, and each node is held up to see its threads. */
  @Test
  void stacksAreAskedForWhereABundleIsKept() throws Exception {
    Snapshot without = collect((path, n) -> healthy(path));
    assertTrue(asked.stream().noneMatch(line -> line.contains("threads")), asked::toString);
    assertTrue(String.valueOf(without.missing(Probe.HOT_THREADS)).contains("--save"));
    bundled = true;
    assertTrue(collect((path, n) -> healthy(path)).get(Probe.HOT_THREADS).isTextual());
  }

  /** Rows cost the nodes every figure of every shard, recoveries a look at each of them. */
  @Test
  void rowsAndRecoveriesAreAskedForOnlyWhereTheyTellMore() throws Exception {
    Snapshot still =
        collect((path, n) ->
            path.equals("/_cluster/state/routing_table,nodes")
                ? routing("STARTED")
                : healthy(path));
    assertEquals(2, still.shards().size());
    assertTrue(asked.stream().noneMatch(line -> line.contains("_cat/")), asked::toString);
    assertEquals("no shard is on its way", still.missing(Probe.RECOVERY));
    collect((path, n) ->
        path.equals("/_cluster/state/routing_table,nodes")
            ? routing("INITIALIZING")
            : healthy(path));
    assertTrue(asked.contains("GET /_cat/recovery/products"), asked::toString);
  }

  @Test
  void whoMayNotReadTheStateIsToldByRows() throws Exception {
    Snapshot snapshot =
        collect((path, n) -> {
          if (path.equals("/_cluster/state/routing_table,nodes")) {
            return "403 {\"error\":{\"reason\":\"no permissions for [cluster:monitor/state]\"}}";
          }
          return path.equals("/_cat/shards")
              ? Recorded.healthy().get(Probe.SHARDS).toString()
              : healthy(path);
        });
    assertEquals(4, snapshot.shards().size());
    assertEquals(null, snapshot.missing(Probe.SHARDS));
    assertTrue(asked.stream().noneMatch(line -> line.endsWith("/docs,store")), asked::toString);
  }

  /** Of an index with several primaries the sizes of each are asked for, once it is large. */
  @Test
  void sizesAreAskedForOfLargeIndicesOnly() throws Exception {
    Snapshot snapshot =
        collect((path, n) -> {
          if (path.equals("/_cluster/state/routing_table,nodes")) {
            return routing("STARTED");
          }
          if (path.equals("/_all/_settings")) {
            return healthy(path)
                .replace("\"index.number_of_shards\":\"1\"", "\"index.number_of_shards\":\"2\"");
          }
          if (path.startsWith("/_all/_stats")) {
            return Recorded.healthy()
                .get(Probe.INDEX_STATS)
                .toString()
                .replace("314572800", "99000000000");
          }
          return path.equals("/products/_stats/docs,store")
              ? "{\"indices\":{\"products\":{\"shards\":{\"0\":[{\"routing\":{\"node\":\"id1\"},\"docs\":{\"count\":5},\"store\":{\"size_in_bytes\":98000000000}}]}}}}"
              : healthy(path);
        });
    assertTrue(asked.contains("GET /products/_stats/docs,store"), asked::toString);
    assertEquals(98_000_000_000L, snapshot.shards().getFirst().bytes());
    assertTrue(
        Examination.of(snapshot, Catalogue.all()).findings().stream()
            .anyMatch(finding -> finding.check().id().equals("shards-large")));
  }

  @Test
  void aProxyInTheWayIsNamed() {
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class, () -> collect((path, n) -> "<html><body>Sign in</body></html>"));
    assertEquals(ExitCode.CLUSTER, failure.exitCode());
    assertTrue(failure.getMessage().contains("Sign in"), failure.getMessage());
  }

  @Test
  void withoutPermissionOneProbeIsBlindAndTheFirstEndsIt() throws Exception {
    Snapshot snapshot =
        collect((path, n) ->
            path.equals("/_nodes/stats")
                ? "403 {\"error\":{\"reason\":\"no permissions for [cluster:monitor/nodes/stats]\"}}"
                : healthy(path));
    assertTrue(String.valueOf(snapshot.missing(Probe.STATS)).contains("no permission: HTTP 403"));
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class, () -> collect((path, n) -> "401 {\"error\":\"Unauthorized\"}"));
    assertTrue(failure.getMessage().contains("HTTP 401"), failure.getMessage());
  }

  @Test
  void aProxyPageInTheMiddleAndTooLongAnswersAreNamed() throws Exception {
    String large = "{\"a\":\"" + "x".repeat(2 << 20) + "\"}";
    Snapshot snapshot =
        collect((path, n) ->
            path.equals("/_template")
                ? "502 <html>Bad gateway</html>"
                : path.equals("/_all/_settings") ? large : healthy(path));
    assertTrue(String.valueOf(snapshot.missing(Probe.TEMPLATES)).contains("Bad gateway"));
    assertTrue(
        String.valueOf(snapshot.missing(Probe.INDEX_SETTINGS)).contains("longer than"),
        snapshot.missing(Probe.INDEX_SETTINGS));
  }

  /** Figures are asked for twice; of one that dies in between the first ones alone say nothing. */
  @Test
  void whatAClusterAnsweredBeforeItDiedIsExamined() {
    ClusterDiedException died =
        assertThrows(
            ClusterDiedException.class,
            () ->
                collect((path, n) ->
                    path.equals("/_nodes/stats") && askedForStats() >= 2 ? "599 " : healthy(path)));
    assertEquals(ExitCode.CLUSTER, died.exitCode());
    assertTrue(died.getMessage().contains("stopped answering during request"), died.getMessage());
    assertTrue(String.valueOf(died.remedy()).startsWith("The report says what was found"));
    Snapshot read = died.read();
    assertEquals(3, read.nodes().size());
    assertEquals(2, read.indices().size());
    for (Probe probe : List.of(Probe.STATS, Probe.MAPPINGS)) {
      assertTrue(read.get(probe).isMissingNode(), probe.name());
      assertEquals("the cluster stopped answering before", read.missing(probe));
    }
    Examination examination = Examination.of(read, Catalogue.all());
    assertTrue(examination.looked() > 10, examination.blind()::toString);
    assertTrue(examination.blind().containsKey("file-descriptors"), examination.blind()::toString);
    assertFalse(examination.has(Severity.WARN), examination.findings()::toString);
  }

  @Test
  void aClusterThatDiesMeanwhileIsNamed() {
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class, () -> collect((path, n) -> n > 6 ? "599 " : healthy(path)));
    assertEquals(ExitCode.CLUSTER, failure.exitCode());
    assertTrue(
        failure.getMessage().contains("stopped answering during request"), failure.getMessage());
  }
}
