package io.millrace.it.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A node of an earlier build writes indices with what it has; this build starts on its data, goes
 * on writing and merges: every document comes back byte for byte, and every setting and answer is
 * as it was.
 *
 * <p>Run with {@code -Dmillrace.upgrade.from=DIR}, the tree of a distribution that was built from
 * an earlier commit. A setting that it does not know yet is printed and left out.
 */
@EnabledIfSystemProperty(named = "millrace.upgrade.from", matches = ".+")
class UpgradeIT {
  private static final int BULKS = 20;
  private static final int SIZE = 1_000;
  private static final int PAGE = 2_000;

  /** Index settings beside one shard and no replica, by the name of their index. */
  private static final Map<String, String> INDICES =
      Map.of(
          "logs-plain", "",
          "logs-profile", ",\"index.millrace.profile\":\"logs\"",
          "traces-profile", ",\"index.millrace.profile\":\"traces\"",
          "logs-archive", ",\"index.codec\":\"zstandard_archive\"",
          "logs-columns",
              ",\"index.codec\":\"zstandard\",\"index.millrace.columnar_source.enabled\":true,"
                  + "\"index.millrace.packed_ids.enabled\":true",
          "logs-ordinals", ",\"index.millrace.ordinal_postings.fields\":[\"host\",\"level\"]",
          "logs-lenient", ",\"index.millrace.lenient_parsing.enabled\":true");

  private static final String MAPPING =
      "{\"properties\":{\"n\":{\"type\":\"integer\"},\"@timestamp\":{\"type\":\"date\"},"
          + "\"host\":{\"type\":\"keyword\"},\"level\":{\"type\":\"keyword\"},"
          + "\"message\":{\"type\":\"log_text\"}}}";

  private static final List<String> SEARCHES =
      List.of(
          "{\"size\":0,\"query\":{\"match\":{\"message\":\"request\"}}}",
          "{\"size\":0,\"query\":{\"match_phrase\":{\"message\":\"took 37 ms\"}}}",
          "{\"size\":0,\"query\":{\"wildcard\":{\"message\":\"*99*\"}}}",
          "{\"size\":0,\"query\":{\"terms\":{\"host\":[\"host-1\",\"host-7\"]}}}",
          "{\"size\":0,\"aggs\":{\"h\":{\"terms\":{\"field\":\"host\"},"
              + "\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}}}");

  /** What the new build added goes again, so that answers can be compared. */
  private static final String LATER =
      "{\"query\":{\"range\":{\"n\":{\"gte\":" + BULKS * SIZE + "}}}}";

  @Test
  void whatAnEarlierBuildWroteIsAsItWas() {
    Path from = Path.of(System.getProperty("millrace.upgrade.from"));
    try (Cluster cluster = Cluster.mixed().node(from).start()) {
      ClusterNode node = cluster.node(0);
      List<String> made = write(node.http());
      Map<String, String> before = seen(node.http(), made);

      node.stop();
      node.tree(Tree.MILLRACE.home());
      node.start();
      node.awaitAnswer();
      cluster.awaitGreen();
      assertEquals(before, seen(node.http(), made));

      for (String index : made) {
        String more = Lines.bulk(BULKS * SIZE, (BULKS + 1) * SIZE);
        Lines.accepted(node.http().post("/" + index + "/_bulk?refresh=true", more));
        node.http().post("/" + index + "/_delete_by_query?refresh=true", LATER).ok();
        node.http().post("/" + index + "/_forcemerge?max_num_segments=1").ok();
      }
      assertEquals(before, seen(node.http(), made));
      System.out.println(
          "written by "
              + from.getFileName()
              + " and the same now: "
              + made
              + ", each "
              + BULKS * SIZE
              + " documents, updated and deleted in part");
    }
  }

  private static List<String> write(JsonHttp http) {
    List<String> made = new ArrayList<>();
    INDICES.forEach((index, settings) -> {
      JsonAnswer answer =
          http.put(
              "/" + index,
              "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0"
                  + settings
                  + "},\"mappings\":"
                  + MAPPING
                  + "}");
      if (answer.status() == 200) {
        made.add(index);
        fill(http, index);
      } else {
        System.out.println(index + " is not known to the earlier build: " + answer);
      }
    });
    assertFalse(made.isEmpty());
    return made;
  }

  /** Half of it is committed, the other half stands in the translog. */
  private static void fill(JsonHttp http, String index) {
    for (int bulk = 0; bulk < BULKS; bulk++) {
      int from = bulk * SIZE;
      Lines.accepted(
          http.post(
              "/" + index + "/_bulk",
              Lines.bulk(
                  from,
                  from + SIZE,
                  n -> "{\"index\":{\"_id\":\"" + (n % 9 == 0 ? n / 2 : n) + "\"}}")));
      Lines.accepted(http.post("/" + index + "/_bulk", deletes(from)));
      if (bulk == BULKS / 2) {
        http.post("/" + index + "/_flush").ok();
      }
    }
    http.post("/" + index + "/_refresh").ok();
  }

  private static String deletes(int from) {
    StringBuilder lines = new StringBuilder();
    for (int n = from; n < from + SIZE; n += 10) {
      lines.append("{\"delete\":{\"_id\":\"").append(n).append("\"}}\n");
    }
    return lines.toString();
  }

  /** Documents, settings and answers of every index, as the node writes them. */
  private static Map<String, String> seen(JsonHttp http, List<String> indices) {
    Map<String, String> seen = new TreeMap<>();
    for (String index : indices) {
      http.post("/" + index + "/_refresh").ok();
      seen.put(
          index + " settings", http.get("/" + index + "/_settings?flat_settings=true").ok().body());
      for (String search : SEARCHES) {
        seen.put(
            index + " " + search,
            http.post("/" + index + "/_search?filter_path=hits.total,aggregations", search)
                .ok()
                .body());
      }
      for (int from = 0; from < BULKS * SIZE; from += PAGE) {
        seen.put(
            index + " documents from " + from,
            http.post(
                    "/" + index + "/_search?filter_path=hits.hits._id,hits.hits._source",
                    "{\"size\":"
                        + PAGE
                        + ",\"sort\":[\"n\"],\"query\":{\"range\":{\"n\":{\"gte\":"
                        + from
                        + ",\"lt\":"
                        + (from + PAGE)
                        + "}}}}")
                .ok()
                .body());
      }
    }
    return seen;
  }
}
