package io.millrace.it.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Segments and translog in a repository, two copies that may become the primary, and a search
 * replica on a node that does nothing else: all that a profile of logs sets, byte for byte on every
 * copy, through a promotion and through a restore from the repository alone.
 *
 * <p>Four nodes of its own, so it runs by command: {@code ./millrace test RemoteStoreIT --
 * -Dmillrace.remote.store=true}.
 */
@EnabledIfSystemProperty(named = "millrace.remote.store", matches = "true")
class RemoteStoreIT {
  private static final Duration CATCH_UP = Duration.ofMinutes(3);
  private static final int SEARCHER = 2;
  private static final int ELECTOR = 3;

  private final Map<String, String> expected = new TreeMap<>();

  @Test
  void everyCopyGivesEveryDocumentBack(@TempDir Path folder) throws IOException {
    Path store = Files.createDirectory(folder.resolve("store"));
    // the nodes' user may be another one
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (Cluster cluster =
        Cluster.of(Tree.MILLRACE, 4)
            .set("path.repo", store.toString())
            .set("node.attr.remote_store.segment.repository", "store")
            .set("node.attr.remote_store.translog.repository", "store")
            .set("node.attr.remote_store.state.repository", "store")
            .set("node.attr.remote_store.repository.store.type", "fs")
            .set("node.attr.remote_store.repository.store.settings.location", store.toString())
            .set(SEARCHER, "node.roles", "search")
            // with it, one of the two others may go
            .set(ELECTOR, "node.roles", "cluster_manager")
            .start()) {
      JsonHttp http = cluster.node(0).http();
      http.put(
              "/logs-remote",
              "{\"settings\":{\"index.millrace.profile\":\"logs\",\"index.number_of_shards\":1,"
                  + "\"index.number_of_replicas\":1,\"index.number_of_search_replicas\":1,"
                  + "\"index.unassigned.node_left.delayed_timeout\":\"0\","
                  + "\"index.millrace.ordinal_postings.fields\":[\"trace_id\"]},"
                  + "\"mappings\":{\"properties\":{\"message\":{\"type\":\"log_text\"},"
                  + "\"trace_id\":{\"type\":\"keyword\"}}}}")
          .ok();
      cluster.awaitGreen();
      JsonNode settings =
          http.get("/logs-remote/_settings?flat_settings=true").ok().at("/logs-remote/settings");
      assertEquals("true", settings.path("index.remote_store.enabled").asText());
      assertEquals("true", settings.path("index.millrace.columnar_source.enabled").asText());
      write(http, 0, 300);
      http.post("/logs-remote/_flush").ok();
      write(http, 300, 400);
      http.delete("/logs-remote/_doc/id7").ok();
      expected.remove("id7");
      everyCopyIs(cluster, 3);
      http.post("/logs-remote/_forcemerge?max_num_segments=1").ok();
      everyCopyIs(cluster, 3);

      // promotion: what was acknowledged and not uploaded as a segment comes from the translog
      write(http, 400, 450);
      int lost = primary(http);
      cluster.node(lost).kill();
      JsonHttp other = cluster.node(1 - lost).http();
      Await.until("a promoted primary", CATCH_UP, () -> primary(other) == 1 - lost);
      write(other, 450, 500);
      cluster.node(lost).start();
      cluster.node(lost).awaitAnswer();
      cluster.awaitNodes(4);
      cluster.awaitGreen();
      everyCopyIs(cluster, 3);

      // all local files of every copy are dropped
      http.post("/logs-remote/_close").ok();
      http.post(
              "/_remotestore/_restore?restore_all_shards=true&wait_for_completion=true",
              "{\"indices\":[\"logs-remote\"]}")
          .ok();
      cluster.awaitGreen();
      write(http, 500, 520);
      everyCopyIs(cluster, 3);
    }
  }

  private void write(JsonHttp http, int from, int to) {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      String source =
          ("{\"n\": %d,\"trace_id\":\"%016x%016x\",\"took\":%d.50e1 ,"
                  + "\"message\":\"GET /api/v1/orders/%d from 10.0.%d.7 took %d ms\"}")
              .formatted(n, n * 0x9e3779b97f4a7c15L, n, n, n, n % 250, n % 9);
      expected.put("id" + n, source);
      body.append("{\"index\":{\"_id\":\"id").append(n).append("\"}}\n");
      body.append(source).append('\n');
    }
    Lines.accepted(http.post("/logs-remote/_bulk", body.toString()));
  }

  /** The number of the node that has the primary, -1 while there is none. */
  private static int primary(JsonHttp http) {
    for (JsonNode shard : shards(http)) {
      if (shard.path("prirep").asText().equals("p")
          && shard.path("state").asText().equals("STARTED")) {
        return shard.path("node").asText().charAt(5) - '0';
      }
    }
    return -1;
  }

  private static JsonNode shards(JsonHttp http) {
    return http.get("/_cat/shards/logs-remote?format=json&h=prirep,state,node").ok().json();
  }

  private void everyCopyIs(Cluster cluster, int copies) {
    JsonHttp http = cluster.http();
    http.post("/logs-remote/_refresh").ok();
    JsonNode nodes = http.get("/_nodes/_all/name").ok().at("/nodes");
    List<String> kinds = new ArrayList<>();
    for (JsonNode shard : shards(http)) {
      String name = shard.path("node").asText();
      String[] id = new String[1];
      nodes
          .properties()
          .forEach(node -> {
            if (node.getValue().path("name").asText().equals(name)) {
              id[0] = node.getKey();
            }
          });
      kinds.add(shard.path("prirep").asText());
      String only = "preference=_only_nodes:" + id[0];
      Await.until(
          "the copy on " + name + " has caught up",
          CATCH_UP,
          () ->
              http.get("/logs-remote/_count?" + only).ok().at("/count").asInt() == expected.size());
      Map<String, String> found = new TreeMap<>();
      for (JsonNode hit :
          http.post(
                  "/logs-remote/_search?" + only,
                  "{\"size\":1000,\"_source\":[\"n\"],\"query\":{\"match_all\":{}}}")
              .ok()
              .at("/hits/hits")) {
        found.put(hit.path("_id").asText(), hit.path("_source").path("n").asText());
      }
      assertEquals(expected.keySet(), found.keySet(), name);
      assertEquals(
          expected.values().stream().filter(source -> source.contains(" took 3 ms")).count(),
          http.post(
                  "/logs-remote/_count?" + only,
                  "{\"query\":{\"match_phrase\":{\"message\":\"took 3 ms\"}}}")
              .ok()
              .at("/count")
              .asLong(),
          name);
    }
    assertEquals(copies, kinds.size(), kinds::toString);
    assertFalse(kinds.stream().noneMatch("p"::equals));
    expected.forEach(
        (id, source) -> assertEquals(source, http.get("/logs-remote/_source/" + id).ok().body()));
  }
}
