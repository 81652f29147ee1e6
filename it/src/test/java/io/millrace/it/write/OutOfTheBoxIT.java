package io.millrace.it.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.corpus.HostileDocuments;
import io.millrace.corpus.JsonBuffer;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a new user gets from a node of the distribution on which nothing was set by hand.
 *
 * <p>{@code -Dmillrace.hostile.documents=1000000} sends as many hostile documents, {@code
 * -Dmillrace.hostile.seed=N} others.
 */
class OutOfTheBoxIT {
  private static final int HOSTILE = Integer.getInteger("millrace.hostile.documents", 2000);
  private static final long SEED = Long.getLong("millrace.hostile.seed", 12);
  private static final int PER_BULK = 500;

  private static Path folder = Path.of("");
  private static Cluster cluster;

  @BeforeAll
  static void start() throws IOException {
    folder = Files.createTempDirectory("millrace-box-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    cluster = Cluster.of(Tree.MILLRACE, 1).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    Folders.remove(folder);
  }

  private static JsonHttp http() {
    return cluster.node(0).http();
  }

  private static long count(String index, String query) {
    return http()
        .post("/" + index + "/_count", "{\"query\":" + query + "}")
        .ok()
        .at("/count")
        .asLong();
  }

  private static JsonNode only(JsonNode object) {
    assertEquals(1, object.size(), object.toString());
    return object.elements().next();
  }

  /** The settings of the one index behind a name, as {@code index.codec}. */
  private static JsonNode settings(String name) {
    return only(http().get("/" + name + "/_settings?flat_settings=true").ok().json())
        .path("settings");
  }

  private static void assertLogs(String name) {
    JsonNode settings = settings(name);
    assertEquals("logs", settings.path("index.millrace.profile").asText(), settings.toString());
    assertEquals("zstandard", settings.path("index.codec").asText(), settings.toString());
    for (String on :
        List.of(
            "index.millrace.columnar_source.enabled",
            "index.millrace.packed_ids.enabled",
            "index.millrace.lenient_parsing.enabled")) {
      assertEquals("true", settings.path(on).asText(), on + " in " + settings);
    }
  }

  private static String type(String name, String field) {
    return only(http().get("/" + name + "/_mapping/field/" + field).ok().json())
        .at("/mappings/" + field + "/mapping/" + field + "/type")
        .asText();
  }

  @Test
  void hostileDocumentsAreAllTakenAndCounted() {
    System.out.println("hostile documents: " + HOSTILE + ", -Dmillrace.hostile.seed=" + SEED);
    HostileDocuments documents = new HostileDocuments(SEED);
    byte[] action = "{\"index\":{}}\n".getBytes(StandardCharsets.US_ASCII);
    JsonBuffer body = new JsonBuffer(1 << 20);
    for (int sent = 0; sent < HOSTILE; sent += PER_BULK) {
      body.clear();
      for (int i = sent; i < Math.min(HOSTILE, sent + PER_BULK); i++) {
        body.raw(action);
        documents.next(body);
        body.raw('\n');
      }
      JsonAnswer answer =
          http().post("/logs-x/_bulk?filter_path=errors,items.*.error", body.toByteArray());
      assertFalse(answer.ok().at("/errors").asBoolean(), () -> answer.toString());
    }
    http().post("/logs-x/_refresh").ok();

    assertLogs("logs-x");
    assertEquals(HOSTILE, count("logs-x", "{\"match_all\":{}}"), "documents");
    // not only as many: each of them
    JsonNode sum =
        http()
            .post("/logs-x/_search?size=0", "{\"aggs\":{\"n\":{\"sum\":{\"field\":\"n\"}}}}")
            .ok()
            .at("/aggregations/n/value");
    assertEquals(HOSTILE * (HOSTILE - 1.0) / 2, sum.asDouble());

    long broken = documents.brokenTimestamps();
    assertEquals(broken, count("logs-x", "{\"term\":{\"_ignored\":\"@timestamp\"}}"));
    JsonNode report = only(http().get("/_millrace/ignored").ok().at("/nodes"));
    long counted = 0;
    for (JsonNode row : report.path("fields")) {
      if (row.path("index").asText().equals("logs-x")
          && row.path("field").asText().equals("@timestamp")) {
        assertTrue(row.path("source").asText().startsWith("service-"), row.toString());
        counted += row.path("documents").asLong();
      }
    }
    assertEquals(broken, counted, report.toString());
    long named = count("logs-x", "{\"exists\":{\"field\":\"_ignored\"}}");
    assertTrue(named > HOSTILE / 20, named + " of " + HOSTILE);
    assertTrue(report.path("documents").asLong() >= named, named + " of " + report);
  }

  @Test
  void whatComesByBulkIsLogs() {
    Lines.load(http(), "logs-shop-default", 2, 50);
    http().post("/logs-shop-default/_refresh").ok();

    assertLogs("logs-shop-default");
    assertEquals("log_text", type("logs-shop-default", "message"));
    assertEquals("keyword", type("logs-shop-default", "host"));
    assertEquals("date", type("logs-shop-default", "@timestamp"));
    assertEquals(
        1, count("logs-shop-default", "{\"match_phrase\":{\"message\":\"request 71 took\"}}"));
    // shippers that write into data streams create; the others index
    http().post("/logs-shop-default/_bulk", "{\"create\":{}}\n" + Lines.document(7) + "\n").ok();
    http().post("/logs-shop-default/_doc", Lines.document(8)).ok();
    assertEquals("traces", settings(created("traces-x")).path("index.millrace.profile").asText());
    assertEquals("traces", settings(created("sw_x")).path("index.millrace.profile").asText());
  }

  private static String created(String index) {
    http().post("/" + index + "/_doc", "{\"trace_id\":\"a\"}").ok();
    return index;
  }

  @Test
  void aDataStreamOfAUsersIsLogs() {
    http()
        .put(
            "/_index_template/mine",
            "{\"index_patterns\":[\"logs-stream-*\"],\"priority\":1,\"data_stream\":{}}")
        .ok();
    String body =
        "{\"create\":{}}\n" + Lines.document(1) + "\n{\"create\":{}}\n{\"message\":\"no time\"}\n";
    Lines.accepted(http().post("/logs-stream-a/_bulk?refresh=true", body));

    assertEquals(2, count("logs-stream-a", "{\"match_all\":{}}"));
    assertEquals(1, count("logs-stream-a", "{\"term\":{\"_ignored\":\"@timestamp\"}}"));
    assertLogs("logs-stream-a");
  }

  @Test
  void aFileIsLogs() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      lines.append(
          "2026-11-22T10:00:%02dZ ERROR checkout failed for order %d\n".formatted(i % 60, i));
    }
    Path file = Files.writeString(folder.resolve("app.log"), lines);
    Commands.run(
            folder,
            Map.of("OPENSEARCH_JAVA_HOME", System.getProperty("java.home")),
            List.of(
                Tree.MILLRACE.home().resolve("bin/millrace").toString(),
                "ingest",
                "--url",
                http().base().toString(),
                "--index",
                "logs-file",
                file.toString()))
        .ok();
    http().post("/logs-file/_refresh").ok();

    assertEquals(200, count("logs-file", "{\"match_all\":{}}"));
    assertEquals(
        1, count("logs-file", "{\"match_phrase\":{\"message\":\"failed for order 199\"}}"));
    assertLogs("logs-file");
    assertEquals("log_text", type("logs-file", "message"));
  }
}
