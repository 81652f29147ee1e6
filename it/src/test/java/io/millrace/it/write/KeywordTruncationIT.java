package io.millrace.it.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code write.keyword-truncation} on three nodes: every copy of a shard holds the same cut terms,
 * however it came by its documents: replication, recovery by files, replay of the translog.
 */
class KeywordTruncationIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);

  private static final int MAX_BYTES = 32_766;

  private static JsonHttp http() {
    return CLUSTER.http();
  }

  private static void create(int shards, int replicas, String truncate) {
    http()
        .put(
            "/long",
            ("{\"settings\":{\"number_of_shards\":%d,\"number_of_replicas\":%d,"
                    + "\"index.mapping.keyword.truncate\":%s},"
                    + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"},"
                    + "\"stack\":{\"type\":\"keyword\"}}}}")
                .formatted(shards, replicas, truncate))
        .ok();
    CLUSTER.get().awaitGreen();
  }

  /** Bulk lines with values around and beyond the limit, also where it falls inside a character. */
  private static String bulk() {
    StringBuilder body = new StringBuilder();
    for (int n = 0; n < 12; n++) {
      String value =
          switch (n % 4) {
            case 0 -> "s" + n;
            case 1 -> "a".repeat(MAX_BYTES - 2 + n);
            case 2 -> "x" + "\u00e9".repeat(20_000 + n);
            default -> "\ud83d\ude80".repeat(10_000) + n;
          };
      body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n");
      body.append("{\"n\":").append(n).append(",\"stack\":\"").append(value).append("\"}\n");
    }
    return body.toString();
  }

  /** What one copy of the shards answers: terms with counts, and every document whole. */
  private static List<JsonNode> seen(String preference) {
    JsonAnswer terms =
        http()
            .post(
                "/long/_search?preference=" + preference,
                "{\"size\":0,\"aggs\":{\"t\":{\"terms\":{\"field\":\"stack\",\"size\":100,"
                    + "\"order\":{\"_key\":\"asc\"}}}}}")
            .ok();
    JsonAnswer documents =
        http()
            .post(
                "/long/_search?preference=" + preference,
                "{\"size\":100,\"sort\":[\"n\"],\"docvalue_fields\":[\"stack\"]}")
            .ok();
    return List.of(terms.at("/aggregations"), documents.at("/hits/hits"));
  }

  @Test
  void everyCopyHoldsTheSameTerms() {
    create(1, 2, "true");
    Lines.accepted(http().post("/long/_bulk?refresh=true", bulk()));
    List<JsonNode> primary = seen("_primary");
    assertEquals(12, primary.get(1).size());
    for (int node = 0; node < 3; node++) {
      String id = nodeId(CLUSTER.get(), node);
      assertEquals(primary, seen("_only_nodes:" + id), "node-" + node);
    }
    for (JsonNode hit : primary.get(1)) {
      int n = hit.at("/_source/n").asInt();
      String whole = hit.at("/_source/stack").asText();
      String term = hit.at("/fields/stack/0").asText();
      assertTrue(
          whole.startsWith(term), "document " + n + ": the term is a beginning of the value");
      int bytes = term.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
      assertTrue(
          bytes <= MAX_BYTES && (whole.equals(term) || bytes > MAX_BYTES - 4), n + ": " + bytes);
    }
  }

  @Test
  void aNodeThatComesBackRecoversTheSameTerms() {
    create(3, 1, "true");
    List<JsonNode> before;
    Lines.accepted(http().post("/long/_bulk", bulk()));
    Cluster cluster = CLUSTER.get();
    // killed with the documents in the translog alone: the way back is its replay
    cluster.node(1).kill();
    cluster.awaitNodes(2);
    cluster.awaitYellow();
    http().post("/long/_refresh").ok();
    before = seen("_primary");
    // turned off in between: what was accepted cut stays acceptable everywhere
    http().put("/long/_settings", "{\"index.mapping.keyword.truncate\":false}").ok();
    cluster.node(1).start();
    cluster.node(1).awaitAnswer();
    cluster.awaitNodes(3);
    cluster.awaitGreen();
    http().post("/long/_refresh").ok();
    assertEquals(before, seen("_primary"));
    assertEquals(before, seen("_replica"));
  }

  @Test
  void documentsSurviveARestartOfAllNodes() {
    create(2, 1, "true");
    Lines.accepted(http().post("/long/_bulk", bulk()));
    http().post("/long/_refresh").ok();
    List<JsonNode> before = seen("_primary");
    Cluster cluster = CLUSTER.get();
    cluster.nodes().forEach(node -> node.kill());
    cluster.nodes().forEach(node -> node.start());
    cluster.nodes().forEach(node -> node.awaitAnswer());
    cluster.awaitNodes(3);
    cluster.awaitGreen();
    http().post("/long/_refresh").ok();
    assertEquals(before, seen("_primary"));
    assertEquals(before, seen("_replica"));
  }

  @Test
  void offRefusesAsStock() {
    create(1, 1, "false");
    JsonAnswer answer = http().post("/long/_bulk", bulk()).ok();
    List<String> refused = new ArrayList<>();
    answer
        .at("/items")
        .forEach(item -> {
          if (item.at("/index/status").asInt() != 201) {
            refused.add(item.at("/index/error/reason").asText());
          }
        });
    assertEquals(8, refused.size(), refused.toString());
    refused.forEach(reason -> assertTrue(reason.contains("stack"), reason));
  }

  private static String nodeId(Cluster cluster, int node) {
    return cluster
        .http()
        .get("/_nodes/node-" + node + "/_none")
        .ok()
        .at("/nodes")
        .fieldNames()
        .next();
  }
}
