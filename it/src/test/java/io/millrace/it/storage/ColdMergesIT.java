package io.millrace.it.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Shards that nobody writes to are merged on a cluster: by each copy for itself under document
 * replication, by the primary alone under segment replication, and not while one is written to.
 *
 * <p>The node looks at its shards once a minute, so this takes a few minutes. It runs by command:
 * {@code ./millrace test ColdMergesIT -- -Dmillrace.cold.merges=true}.
 */
@EnabledIfSystemProperty(named = "millrace.cold.merges", matches = "true")
class ColdMergesIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);

  private static final Duration MINUTES = Duration.ofMinutes(6);
  private static final Duration CATCH_UP = Duration.ofMinutes(3);
  private static final int BULKS = 6;
  private static final int SIZE = 50;

  private final JsonHttp http = CLUSTER.http();
  private final Map<String, Set<String>> expected = new TreeMap<>();

  @AfterEach
  void never() {
    // the cluster is shared
    http.put("/_cluster/settings", "{\"persistent\":{\"millrace.storage.merge.*\":null}}").ok();
  }

  @Test
  void idleShardsAreMergedOnceAndNoDocumentIsLost() {
    long before = coldMerges();
    create("document", "DOCUMENT");
    create("segment", "SEGMENT");
    create("busy", "DOCUMENT");
    CLUSTER.get().awaitGreen();
    for (int i = 0; i < BULKS; i++) {
      for (String index : new String[] {"document", "segment", "busy"}) {
        write(index, SIZE);
      }
    }
    http.delete("/document/_doc/7?refresh=true").ok();
    expected.get("document").remove("7");
    for (String index : expected.keySet()) {
      everyCopyHolds(index);
      segments(index)
          .forEach((copy, names) -> assertTrue(names.size() > 1, () -> copy + " has " + names));
    }

    // the machine of a test is never idle
    http.put(
            "/_cluster/settings",
            "{\"persistent\":{\"millrace.storage.merge.cold_after\":\"30s\","
                + "\"millrace.storage.merge.cold_max_cpu\":100}}")
        .ok();
    Await.until(
        "both copies of one index and the primary of the other merged to one segment",
        MINUTES,
        () -> {
          write("busy", 1);
          return oneSegmentEach("document") && oneSegmentEach("segment");
        });
    Await.until("the merges counted", CATCH_UP, () -> coldMerges() - before >= 3);
    assertEquals(3, coldMerges() - before, "two copies, one primary, not the busy shard");
    assertEquals(
        segments("segment").get("primary"),
        segments("segment").get("replica"),
        "the same segment, copied");
    assertEquals(0, merges("segment", false), "merges of the copy under segment replication");
    assertEquals(1, merges("segment", true));
    for (String index : expected.keySet()) {
      everyCopyHolds(index);
    }

    // no more writes: its turn
    Await.until("the once busy index merged", MINUTES, () -> oneSegmentEach("busy"));
    // a copy that Lucene merged to one segment by itself, after a refresh, needs no cold merge
    Await.until("its merges counted", CATCH_UP, () -> coldMerges() - before >= 4);
    long merges = coldMerges() - before;
    assertTrue(merges <= 5, () -> merges + " merges of five copies: each is merged once at most");
    for (String index : expected.keySet()) {
      everyCopyHolds(index);
    }
  }

  private void create(String index, String replication) {
    http.put(
            "/" + index,
            ("{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1,"
                    + "\"index.refresh_interval\":\"-1\",\"index.replication.type\":\"%s\"}}")
                .formatted(replication))
        .ok();
    expected.put(index, new TreeSet<>());
  }

  /** A segment of its own, on each copy under document replication. */
  private void write(String index, int documents) {
    Set<String> ids = expected.get(index);
    int from = ids.size();
    Lines.accepted(
        http.post(
            "/" + index + "/_bulk?refresh=true",
            Lines.bulk(from, from + documents, n -> "{\"index\":{\"_id\":\"" + n + "\"}}")));
    IntStream.range(from, from + documents).forEach(n -> ids.add(Integer.toString(n)));
  }

  /** The names of the segments of each copy: a name has the segment's number and its documents. */
  private Map<String, Set<String>> segments(String index) {
    Map<String, Set<String>> copies = new HashMap<>();
    http.post("/" + index + "/_refresh").ok();
    for (JsonNode copy :
        http.get("/" + index + "/_segments").ok().at("/indices/" + index + "/shards/0")) {
      Set<String> names = new HashSet<>();
      copy.get("segments")
          .properties()
          .forEach(each -> names.add(each.getKey() + ":" + each.getValue().get("num_docs")));
      copies.put(copy.at("/routing/primary").asBoolean() ? "primary" : "replica", names);
    }
    return copies;
  }

  private boolean oneSegmentEach(String index) {
    Map<String, Set<String>> copies = segments(index);
    return copies.size() == 2 && copies.values().stream().allMatch(names -> names.size() == 1);
  }

  private long coldMerges() {
    JsonAnswer stats = http.get("/_millrace/stats?feature=storage.merge").ok();
    return stats.at("/features/storage.merge/metrics/cold_merges/value").asLong();
  }

  private int merges(String index, boolean primary) {
    for (JsonNode copy :
        http.get("/" + index + "/_stats/merge?level=shards")
            .ok()
            .at("/indices/" + index + "/shards/0")) {
      if (copy.at("/routing/primary").asBoolean() == primary) {
        return copy.at("/merges/total").asInt();
      }
    }
    throw new AssertionError("no such copy of " + index);
  }

  private void everyCopyHolds(String index) {
    Set<String> ids = expected.get(index);
    int copies = 0;
    for (JsonNode shard :
        http.get("/_cat/shards/" + index + "?format=json&h=state,node").ok().json()) {
      assertEquals("STARTED", shard.get("state").asText());
      ClusterNode node =
          CLUSTER.get().nodes().stream()
              .filter(each -> each.name().equals(shard.get("node").asText()))
              .findAny()
              .orElseThrow();
      copies++;
      Await.until(
          "the copy of " + index + " on " + node.name() + " holds " + ids.size() + " documents",
          CATCH_UP,
          () -> {
            http.post("/" + index + "/_refresh").ok();
            return ids(node, index).equals(ids);
          });
    }
    assertEquals(2, copies);
  }

  private static Set<String> ids(ClusterNode node, String index) {
    Set<String> ids = new TreeSet<>();
    node.http()
        .get("/" + index + "/_search?size=10000&_source=false&preference=_local")
        .ok()
        .at("/hits/hits")
        .forEach(hit -> ids.add(hit.get("_id").asText()));
    return ids;
  }
}
