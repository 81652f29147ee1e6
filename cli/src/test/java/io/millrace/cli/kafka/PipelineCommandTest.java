package io.millrace.cli.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.MillraceCommand;
import io.millrace.client.failure.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the commands ask a node, what they refuse by themselves, and what they print. */
class PipelineCommandTest {
  private static final String GOOD =
      "create --topic t --bootstrap b:1 --index logs-shop --partitions 1 ";
  private static final String WITH_PLUGIN =
      "{\"nodes\":{\"a\":{\"name\":\"node-1\",\"plugins\":[{\"name\":\"ingestion-kafka\"}]}}}";
  private static final String SETTINGS =
      "{\"logs-shop\":{\"settings\":{\"index.number_of_shards\":\"2\","
          + "\"index.refresh_interval\":\"5s\",\"index.ingestion_source.type\":\"kafka\","
          + "\"index.ingestion_source.internal_queue_size\":\"1000\","
          + "\"index.ingestion_source.param.topic\":\"shop\"}}}";

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer node;

  @BeforeEach
  void start() throws IOException {
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/",
        exchange -> {
          String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(request + (body.isEmpty() ? "" : " " + body));
          byte[] answer =
              answers
                  .getOrDefault(request, "{\"acknowledged\":true,\"shards_acknowledged\":true}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    node.start();
    answers.put("GET /_nodes/plugins", WITH_PLUGIN);
    answers.put("GET /logs-shop/_settings?flat_settings=true", SETTINGS);
  }

  @AfterEach
  void stop() {
    node.stop(0);
  }

  private int run(String words) {
    List<String> all = new ArrayList<>(List.of("pipeline", "kafka"));
    List<String> given = List.of(words.strip().split(" +"));
    int end = given.contains("--") ? given.indexOf("--") : given.size();
    all.addAll(given.subList(0, end));
    all.addAll(List.of("--url", "http://127.0.0.1:" + node.getAddress().getPort()));
    all.addAll(given.subList(end, given.size()));
    CommandLine line = MillraceCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(all.toArray(new String[0]));
  }

  private JsonNode created() throws IOException {
    String put =
        asked.stream()
            .filter(each -> each.startsWith("PUT /logs-shop {"))
            .findFirst()
            .orElseThrow();
    return new ObjectMapper().readTree(put.substring(put.indexOf('{')));
  }

  @Test
  void anIndexIsMadeWithTheDefaultsOfAStream() throws IOException {
    assertEquals(
        ExitCode.OK,
        run(
            "create --topic shop --bootstrap b1:9092,b2:9092 --index logs-shop --partitions 12"
                + " --group g --from 2026-11-23T08:00:00Z"
                + " -- fetch.min.bytes=1 security.protocol=SSL"),
        err::toString);
    JsonNode settings = created().path("settings");
    Map<String, String> expected =
        Map.of(
            "number_of_shards", "12",
            "number_of_replicas", "0",
            "replication.type", "SEGMENT",
            "millrace.profile", "logs",
            "ingestion_source.mapper_type", "raw_payload",
            "ingestion_source.error_strategy", "BLOCK",
            "ingestion_source.pointer.init.reset", "reset_by_timestamp",
            "ingestion_source.pointer.init.reset.value", "1795420800000",
            "ingestion_source.param.fetch.min.bytes", "1",
            "ingestion_source.param.bootstrap_servers", "b1:9092,b2:9092");
    expected.forEach(
        (key, value) -> assertEquals(value, settings.path("index." + key).asText(), key));
    assertEquals("SSL", settings.path("index.ingestion_source.param.security.protocol").asText());
    assertEquals("g", settings.path("index.ingestion_source.param.group.id").asText());
    assertEquals("false", created().at("/mappings/dynamic").asText());
    assertTrue(
        asked.stream().anyMatch(each -> each.startsWith("DELETE /logs-shop-fields-")),
        "the index of the sample is gone");
    assertTrue(err.toString().contains("no record was seen"), err::toString);
  }

  @Test
  void idsOfTheUsersOwn() throws IOException {
    assertEquals(ExitCode.OK, run(GOOD + "--id-field uuid"), err::toString);
    JsonNode settings = created().path("settings");
    assertEquals("field_mapping", settings.path("index.ingestion_source.mapper_type").asText());
    assertEquals("uuid", settings.path("index.ingestion_source.mapper_settings.id_field").asText());
    assertEquals("earliest", settings.path("index.ingestion_source.pointer.init.reset").asText());
  }

  @Test
  void badInputIsRefusedBeforeAnythingIsAsked() {
    Map<String, String> bad =
        Map.ofEntries(
            Map.entry("create --topic a/b --bootstrap b:1 --index x", "--topic a/b"),
            Map.entry("create --topic t --bootstrap b --index x", "--bootstrap b "),
            Map.entry("create --topic t --bootstrap b:70000 --index x", "--bootstrap b:70000"),
            Map.entry("create --topic t --bootstrap b:1 --index x,y", "--index x,y"),
            Map.entry(GOOD + "--from yesterday", "--from yesterday"),
            Map.entry(GOOD + "--replicas 99", "--replicas 99"),
            Map.entry(GOOD + "--threads 99", "--threads 99"),
            Map.entry(GOOD + "--profile search", "--profile search"),
            Map.entry(GOOD + "--id-field a.b", "--id-field a.b"),
            Map.entry(GOOD + "-- group.id=x", "--group"),
            Map.entry(GOOD + "-- value.deserializer=x", "value.deserializer"),
            Map.entry(GOOD + "-- nothing", "nothing is no setting"),
            Map.entry("resume --index logs-shop --shard 1", "--shard goes with --offset"),
            Map.entry("status --index logs-shop --interval 0", "--interval 0"));
    bad.forEach((words, said) -> {
      err.getBuffer().setLength(0);
      assertEquals(ExitCode.USAGE, run(words), words);
      assertTrue(err.toString().contains(said), () -> words + ": " + err);
    });
    assertEquals(List.of(), asked);
  }

  @Test
  void nodesWithoutThePluginAreNamed() {
    answers.put("GET /_nodes/plugins", WITH_PLUGIN.replace("ingestion-kafka", "other"));
    assertEquals(ExitCode.CLUSTER, run(GOOD));
    assertTrue(err.toString().contains("ingestion-kafka: node-1"), err::toString);
    assertTrue(err.toString().contains("--plugin kafka"), err::toString);
    assertEquals(List.of("GET /_nodes/plugins"), asked);
  }

  private void shards(String state, boolean paused, int waiting, int polled, int processed) {
    answers.put(
        "GET /logs-shop/ingestion/_state?size=1024",
        "{\"ingestion_state\":{\"logs-shop\":["
            + (shard(1, "POLLING", false) + "," + shard(0, state, paused))
            + "]}}");
    answers.put(
        "GET /logs-shop/_stats?level=shards",
        "{\"indices\":{\"logs-shop\":{\"shards\":{\"0\":[{\"routing\":{\"primary\":true},"
            + "\"polling_ingest_stats\":{\"message_processor_stats\":{\"total_processed_count\":"
            + processed
            + ",\"total_failed_count\":0},\"consumer_stats\":{\"total_polled_count\":"
            + polled
            + ",\"pointer_based_lag\":"
            + waiting
            + ",\"lag_in_millis\":2500}}}],\"1\":[{\"routing\":{\"primary\":true},"
            + "\"polling_ingest_stats\":{\"consumer_stats\":{\"pointer_based_lag\":0}}}]}}}}");
  }

  private static String shard(int number, String state, boolean paused) {
    return ("{\"shard\":" + number + ",\"poller_state\":\"" + state + "\",\"poller_paused\":")
        + paused
        + ",\"batch_start_pointer\":\"KafkaOffset{offset=42}\",\"node\":\"node-1\"}";
  }

  private String status(int code) {
    out.getBuffer().setLength(0);
    assertEquals(code, run("status --index logs-shop --interval 1"), err::toString);
    return out.toString();
  }

  @Test
  void statusNamesTheSlowStage() {
    shards("POLLING", false, 0, 500, 500);
    String calm = status(ExitCode.OK);
    assertTrue(calm.contains("none: nothing waits in Kafka"), calm);
    assertTrue(calm.contains(" 42 "), calm);
    assertTrue(calm.indexOf("\n  0 ") < calm.indexOf("\n  1 "), "sorted: " + calm);

    shards("POLLING", false, 9000, 1500, 500);
    assertTrue(status(ExitCode.OK).contains("slowest stage          indexing"), out::toString);
    assertTrue(out.toString().contains("2.5 s (age"), out::toString);

    shards("POLLING", false, 9000, 500, 500);
    assertTrue(status(ExitCode.OK).contains("slowest stage          fetching"), out::toString);

    shards("POLLING", false, -1, 500, 500);
    assertTrue(status(ExitCode.OK).contains("unknown: a broker"), out::toString);

    shards("PAUSED", true, 0, 500, 500);
    assertTrue(status(ExitCode.FAILED).contains("paused: shards [0]"), out::toString);
  }

  @Test
  void pauseResumeAndDeleteAskOnlyOfAStream() {
    assertEquals(ExitCode.OK, run("pause --index logs-shop"), err::toString);
    assertEquals("POST /logs-shop/ingestion/_pause", asked.getLast());
    assertEquals(
        ExitCode.OK,
        run("resume --index logs-shop --on-error drop --shard 1 --offset 7"),
        err::toString);
    assertTrue(
        asked.contains(
            "PUT /logs-shop/_settings {\"index.ingestion_source.error_strategy\":\"DROP\"}"),
        asked::toString);
    assertEquals(
        "POST /logs-shop/ingestion/_resume"
            + " {\"reset_settings\":[{\"shard\":1,\"mode\":\"offset\",\"value\":\"7\"}]}",
        asked.getLast());
    assertEquals(ExitCode.USAGE, run("resume --index logs-shop --shard 2 --offset 7"));

    assertEquals(ExitCode.USAGE, run("delete --index logs-shop"), "without --yes");
    assertFalse(asked.contains("DELETE /logs-shop"), asked::toString);
    assertEquals(ExitCode.OK, run("delete --index logs-shop --yes"), err::toString);
    assertEquals("DELETE /logs-shop", asked.getLast());

    answers.put("GET /other/_settings?flat_settings=true", "{\"other\":{\"settings\":{}}}");
    assertEquals(ExitCode.USAGE, run("delete --index other --yes"));
    assertFalse(asked.contains("DELETE /other"), "an index that reads no topic");
  }
}
