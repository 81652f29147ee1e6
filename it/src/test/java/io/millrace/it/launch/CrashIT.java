package io.millrace.it.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code kill -9} of a node while {@code millrace ingest} loads: the loader finishes and every
 * document it had acknowledged is there.
 */
class CrashIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);
  @TempDir private Path folder = Path.of("");

  private static final int DOCUMENTS = 120_000;

  /** Both ways to write; with {@code -Dmillrace.crash.nodes=all} every node of the three. */
  static IntStream nodes() {
    return "all".equals(System.getProperty("millrace.crash.nodes"))
        ? IntStream.of(0, 1, 2)
        : IntStream.of(0, 2);
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void noAcknowledgedDocumentIsLost(int killed) throws Exception {
    Cluster cluster = CLUSTER.get();
    JsonHttp http = cluster.node((killed + 1) % 3).http();
    http.put(
            "/crash",
            "{\"settings\":{\"number_of_shards\":6,\"number_of_replicas\":1,"
                + "\"index.codec\":\"zstandard\"},"
                + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"}}}}")
        .ok();
    cluster.awaitGreen();
    boolean exactlyOnce = killed != 2;
    Process loader = ingest(cluster, exactlyOnce);
    try {
      Await.until(
          "the first documents",
          Duration.ofMinutes(5),
          () -> !loader.isAlive() || written(http) > DOCUMENTS / 10);
      assertTrue(loader.isAlive(), () -> "finished before the kill: " + said());
      cluster.node(killed).kill();
      assertTrue(loader.waitFor(15, TimeUnit.MINUTES), () -> "still running: " + said());
    } finally {
      loader.destroyForcibly();
    }
    assertEquals(0, loader.exitValue(), said());

    cluster.node(killed).start();
    cluster.node(killed).awaitAnswer();
    cluster.awaitNodes(3);
    cluster.awaitGreen();
    http.post("/crash/_refresh").ok();
    assertEquals(DOCUMENTS, distinct(http, "_primary"), said());
    assertEquals(DOCUMENTS, distinct(http, "_replica"), said());
    int count = http.get("/crash/_count").ok().at("/count").asInt();
    if (exactlyOnce) {
      assertEquals(DOCUMENTS, count, said());
    } else {
      // a bulk whose answer was lost is sent again: at least once, and the summary says so
      assertTrue(count >= DOCUMENTS, said());
      assertTrue(count == DOCUMENTS || said().contains("possibly_twice"), said());
    }
  }

  private Process ingest(Cluster cluster, boolean exactlyOnce) throws IOException {
    Path lines = folder.resolve("lines.ndjson");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (int n = 0; n < DOCUMENTS; n++) {
        out.write(Lines.document(n));
        out.write('\n');
      }
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Tree.MILLRACE.home().resolve("bin/millrace").toString(),
                "ingest",
                lines.toString(),
                "--index",
                "crash",
                "--json",
                "--quiet",
                "--bulk-docs",
                "500",
                "--url",
                cluster.nodes().stream()
                    .map(node -> node.http().base().toString())
                    .collect(Collectors.joining(","))));
    if (exactlyOnce) {
      command.add("--exactly-once");
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile());
    builder.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile());
    return builder.start();
  }

  private String said() {
    try {
      return Files.readString(folder.resolve("out"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static int written(JsonHttp http) {
    return http.get("/crash/_stats/indexing")
        .ok()
        .at("/_all/primaries/indexing/index_total")
        .asInt();
  }

  /** Distinct values of n in 0..DOCUMENTS-1, counted exactly, page by page. */
  private static int distinct(JsonHttp http, String preference) {
    BitSet seen = new BitSet(DOCUMENTS);
    String after = "";
    while (true) {
      JsonAnswer page =
          http.post(
                  "/crash/_search?preference=" + preference,
                  "{\"size\":0,\"aggs\":{\"p\":{\"composite\":{\"size\":10000,\"sources\":"
                      + "[{\"n\":{\"terms\":{\"field\":\"n\"}}}]"
                      + after
                      + "}}}}")
              .ok();
      assertEquals(0, page.at("/_shards/failed").asInt(), page.toString());
      JsonNode buckets = page.at("/aggregations/p/buckets");
      if (buckets.isEmpty()) {
        return seen.cardinality();
      }
      buckets.forEach(bucket -> seen.set(bucket.at("/key/n").asInt()));
      after = ",\"after\":" + page.at("/aggregations/p/after_key");
    }
  }
}
