package io.millrace.it.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Segments of our codecs on three nodes: every copy gives every document back byte for byte,
 * however it came by its segments: replication, peer recovery by files and by operations,
 * promotion, relocation, a forced merge.
 */
class CodecClusterIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);

  private static final Duration CATCH_UP = Duration.ofMinutes(5);
  private static final String ZSTANDARD = "\"index.codec\":\"zstandard\"";
  private static final String COLUMNS = "\"index.millrace.columnar_source.enabled\":true";

  private final Map<Integer, String> expected = new TreeMap<>();

  /** Each codec and each replication; with {@code -Dmillrace.codecs.pairs=all} all pairs. */
  static Stream<Arguments> pairs() {
    Stream<Arguments> some =
        Stream.of(Arguments.of("zstandard", "SEGMENT"), Arguments.of("columns", "DOCUMENT"));
    return "all".equals(System.getProperty("millrace.codecs.pairs"))
        ? Stream.concat(
            some,
            Stream.of(Arguments.of("zstandard", "DOCUMENT"), Arguments.of("columns", "SEGMENT")))
        : some;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyCopyGivesEveryDocumentBack(String storage, String replication) {
    Cluster cluster = CLUSTER.get();
    JsonHttp http = cluster.http();
    http.put(
            "/copies",
            ("{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1,"
                    + "\"index.unassigned.node_left.delayed_timeout\":\"0\","
                    + "\"index.replication.type\":\"%s\",%s}}")
                .formatted(replication, storage.equals("columns") ? COLUMNS : ZSTANDARD))
        .ok();
    cluster.awaitGreen();
    write(http, 0, 300);
    http.post("/copies/_flush").ok();
    write(http, 300, 500);
    forget(http, 7);
    everyCopyIs(cluster, 2);

    // a third copy by files
    replicas(http, 2);
    cluster.awaitGreen();
    everyCopyIs(cluster, 3);

    // promotion, then recovery of a copy that missed operations
    ClusterNode primary = cluster.nodes().get(primary(http));
    primary.kill();
    JsonHttp other = cluster.nodes().get(primary == cluster.node(0) ? 1 : 0).http();
    Await.until(
        "a promoted primary",
        CATCH_UP,
        () -> other.get("/_cluster/health/copies").at("/status").asText().equals("yellow"));
    write(other, 500, 600);
    write(other, 0, 20);
    primary.start();
    primary.awaitAnswer();
    cluster.awaitNodes(3);
    cluster.awaitGreen();
    everyCopyIs(cluster, 3);

    http.post("/copies/_forcemerge?max_num_segments=1").ok();
    everyCopyIs(cluster, 3);

    // relocation of the only copy
    replicas(http, 0);
    cluster.awaitGreen();
    int from = primary(http);
    http.post(
            "/_cluster/reroute",
            ("{\"commands\":[{\"move\":{\"index\":\"copies\",\"shard\":0,"
                    + "\"from_node\":\"node-%d\",\"to_node\":\"node-%d\"}}]}")
                .formatted(from, (from + 1) % 3))
        .ok();
    Await.until("the shard has moved", CATCH_UP, () -> primary(http) == (from + 1) % 3);
    everyCopyIs(cluster, 1);
  }

  /**
   * Documents whose bytes say more than their values: blanks, escapes, digits as they were typed.
   */
  private void write(JsonHttp http, int from, int to) {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      String source =
          ("{\"n\": %d,\"@timestamp\":\"2026-11-21T05:%02d:%02d.%03dZ\",\"took\":%d.50e1 ,"
                  + "\"trace_id\":\"%032x\",\"tag\":\"caf\\u00e9 %s\",\"nested\":{\"a\":[1, 2 ,null]},"
                  + "\"message\":\"GET /api/v1/orders/%d from 10.0.%d.7 took %d ms\"}")
              .formatted(
                  n, n / 60 % 60, n % 60, n, n, n * 0x9e3779b97f4a7c15L, n % 3, n, n % 250, n * 7);
      expected.put(n, source);
      body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n").append(source).append('\n');
    }
    Lines.accepted(http.post("/copies/_bulk", body.toString()));
    http.post("/copies/_refresh").ok();
  }

  private void forget(JsonHttp http, int n) {
    http.delete("/copies/_doc/" + n + "?refresh=true").ok();
    expected.remove(n);
  }

  private static void replicas(JsonHttp http, int count) {
    http.put("/copies/_settings", "{\"index.number_of_replicas\":" + count + "}").ok();
  }

  /** The number of the node that has the primary. */
  private static int primary(JsonHttp http) {
    for (JsonNode shard :
        http.get("/_cat/shards/copies?format=json&h=prirep,state,node").ok().json()) {
      String node = shard.get("node").asText();
      if (shard.get("prirep").asText().equals("p") && node.matches("node-\\d")) {
        return node.charAt(5) - '0';
      }
    }
    return -1;
  }

  private void everyCopyIs(Cluster cluster, int copies) {
    int seen = 0;
    for (ClusterNode node : cluster.nodes()) {
      JsonHttp http = node.http();
      String only = "preference=_local";
      if (!holdsACopy(http, node.name())) {
        continue;
      }
      seen++;
      Await.until(
          "the copy on " + node.name() + " has caught up",
          CATCH_UP,
          () ->
              http.post("/copies/_refresh").ok().status() < 300
                  && http.get("/copies/_count?" + only).ok().at("/count").asInt()
                      == expected.size());
      for (Map.Entry<Integer, String> document : expected.entrySet()) {
        JsonAnswer answer =
            http.get("/copies/_source/" + document.getKey() + "?realtime=false&" + only).ok();
        assertEquals(document.getValue(), answer.body(), node.name());
      }
    }
    assertEquals(copies, seen);
  }

  private static boolean holdsACopy(JsonHttp http, String node) {
    for (JsonNode shard : http.get("/_cat/shards/copies?format=json&h=state,node").ok().json()) {
      if (shard.get("node").asText().equals(node)
          && shard.get("state").asText().equals("STARTED")) {
        return true;
      }
    }
    return false;
  }
}
