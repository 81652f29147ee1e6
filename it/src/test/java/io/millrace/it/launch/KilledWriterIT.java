package io.millrace.it.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code kill -9} of the only node in the middle of ingest, again and again on the same index:
 * every acknowledged document is there, byte for byte as it was acknowledged or sent later, no
 * document is there twice, and CheckIndex (index.shard.check_on_startup) finds nothing.
 *
 * <p>Own ids (a sixth sent again, some by {@code create}), generated ids, the logs profile,
 * columnar source and packed ids over the zstandard codec, and what is on by default: the fast
 * engine and the primary-key filter. Flushes and merges follow each other, and every other kill
 * waits for a merge. Two rounds, or {@code -Dmillrace.crash.rounds=20}.
 */
class KilledWriterIT {
  private static final int ROUNDS = Integer.getInteger("millrace.crash.rounds", 2);

  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private final Random random = new Random(ROUNDS);
  // a key belongs to one writer; what was acknowledged last, and what was sent last
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Integer> sent = new ConcurrentHashMap<>();
  private final AtomicInteger sequence = new AtomicInteger();
  private boolean killedInAMerge;

  @Test
  void everyAcknowledgedDocumentIsThereOnce() throws Exception {
    ClusterNode node = CLUSTER.get().node(0);
    node.http()
        .put(
            "/killed",
            "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,"
                + "\"index.millrace.profile\":\"logs\",\"index.codec\":\"zstandard\","
                + "\"index.millrace.columnar_source.enabled\":true,"
                + "\"index.millrace.packed_ids.enabled\":true,"
                + "\"index.millrace.ordinal_postings.fields\":[\"key\",\"trace_id\"],"
                + "\"index.shard.check_on_startup\":\"true\","
                + "\"index.refresh_interval\":\"200ms\","
                + "\"index.merge.policy.segments_per_tier\":2,"
                + "\"index.merge.policy.max_merge_at_once\":2,"
                + "\"index.merge.policy.floor_segment\":\"16kb\","
                // nothing is deleted here: the filter need not wait for deletes to be forgotten
                + "\"index.translog.flush_threshold_size\":\"256kb\",\"index.gc_deletes\":\"-1ms\"},"
                + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"},"
                + "\"key\":{\"type\":\"keyword\"},\"trace_id\":{\"type\":\"keyword\"},"
                + "\"message\":{\"type\":\"log_text\"}}}}")
        .ok();
    CLUSTER.get().awaitGreen();
    double appended = 0;
    int merging = 0;
    for (int round = 0; round < ROUNDS; round++) {
      appended += writeUntilKilled(node, 2_000 + random.nextInt(12_000), round % 2 == 0);
      merging += killedInAMerge ? 1 : 0;
      node.start();
      node.awaitAnswer();
      CLUSTER.get().awaitYellow();
      verify(node.http(), round);
    }
    assertTrue(appended > 0, "the primary-key filter was not used");
    assertTrue(merging > 0, "no kill fell into a merge");
  }

  /** Returns how many documents the filter has let be appended. */
  private double writeUntilKilled(ClusterNode node, int documents, boolean inAMerge)
      throws Exception {
    AtomicBoolean killed = new AtomicBoolean();
    int before = acknowledged.size();
    double appended;
    try (ExecutorService writers = Executors.newFixedThreadPool(3)) {
      List<Future<?>> running = new ArrayList<>();
      for (String name : List.of("a", "b", "generated")) {
        Random own = new Random(random.nextLong());
        running.add(writers.submit(() -> write(node.http(), name, own, killed)));
      }
      try {
        Await.until(
            documents + " acknowledged documents",
            Duration.ofMinutes(10),
            () ->
                acknowledged.size() - before > documents
                    || running.stream().anyMatch(Future::isDone));
        appended =
            node.http()
                .get("/_millrace/stats?feature=write.primary-key-filter")
                .ok()
                .json()
                .findValue("appended")
                .findValue("value")
                .asDouble();
        if (inAMerge) {
          Await.until("a merge", Duration.ofSeconds(60), () -> merges(node) > 0);
        }
        killedInAMerge = merges(node) > 0;
      } finally {
        killed.set(true);
        node.kill();
      }
      for (Future<?> writer : running) {
        writer.get();
      }
    }
    return appended;
  }

  private static int merges(ClusterNode node) {
    return node.http()
        .get("/killed/_stats/merge")
        .ok()
        .at("/_all/primaries/merges/current")
        .asInt();
  }

  /** Bytes that say more than their values, so that other bytes of equal meaning are noticed. */
  private static String source(String key, int n) {
    return ("{\"n\": %d,\"key\":\"%s\" ,\"trace_id\":\"%016x%016x\",\"took\":%d.50,"
            + "\"message\":\"request %d took 12 ms\"}")
        .formatted(n, key, n * 0x9e3779b97f4a7c15L, n * 0xbf58476d1ce4e5b9L, n % 100, n);
  }

  private void write(JsonHttp http, String name, Random own, AtomicBoolean killed) {
    List<String> mine = new ArrayList<>();
    while (!killed.get()) {
      StringBuilder body = new StringBuilder();
      List<String> keys = new ArrayList<>();
      List<Integer> numbers = new ArrayList<>();
      List<Boolean> fresh = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        boolean again = !name.equals("generated") && !mine.isEmpty() && own.nextInt(6) == 0;
        int n = sequence.incrementAndGet();
        String key = again ? mine.get(own.nextInt(mine.size())) : name + "-" + n;
        String action = !again && own.nextInt(4) == 0 ? "create" : "index";
        String id = name.equals("generated") ? "" : "\"_id\":\"" + key + "\"";
        body.append("{\"").append(action).append("\":{").append(id).append("}}\n");
        body.append(source(key, n)).append('\n');
        keys.add(key);
        numbers.add(n);
        fresh.add(!again);
        sent.merge(key, n, Math::max);
      }
      JsonAnswer answer;
      try {
        answer = http.post("/killed/_bulk", body.toString());
        if (own.nextInt(5) == 0 && !mine.isEmpty()) {
          String known = mine.get(own.nextInt(mine.size()));
          JsonAnswer got = http.get("/killed/_doc/" + known);
          assertTrue(got.status() != 404, () -> "acknowledged and not found: " + got);
        }
      } catch (UncheckedIOException e) {
        assertTrue(killed.get(), () -> "lost the node before the kill: " + e);
        return;
      }
      if (answer.status() != 200) {
        assertTrue(killed.get(), answer::toString);
        return;
      }
      JsonNode items = answer.at("/items");
      for (int i = 0; i < items.size(); i++) {
        JsonNode item = items.get(i).elements().next();
        int status = item.path("status").asInt();
        assertEquals(fresh.get(i) ? 201 : 200, status, item::toString);
        acknowledged.merge(keys.get(i), numbers.get(i), Math::max);
        if (fresh.get(i) && !name.equals("generated")) {
          mine.add(keys.get(i));
        }
      }
    }
  }

  private void verify(JsonHttp http, int round) {
    http.post("/killed/_refresh").ok();
    Map<String, Integer> found = new TreeMap<>();
    String after = "";
    while (true) {
      JsonAnswer page =
          http.post(
                  "/killed/_search",
                  "{\"size\":5000,\"sort\":[\"key\"]" + after + ",\"track_total_hits\":false}")
              .ok();
      assertEquals(0, page.at("/_shards/failed").asInt(), page::toString);
      JsonNode hits = page.at("/hits/hits");
      if (hits.isEmpty()) {
        break;
      }
      String[] sources = page.body().split("\"_source\":", -1);
      for (int i = 0; i < hits.size(); i++) {
        JsonNode source = hits.get(i).get("_source");
        String key = source.path("key").asText();
        int n = source.path("n").asInt();
        assertNull(found.put(key, n), () -> "twice: " + key);
        String there = sources[i + 1];
        assertTrue(there.startsWith(source(key, n) + ","), () -> key + " " + n + ": " + there);
      }
      after = ",\"search_after\":" + hits.get(hits.size() - 1).get("sort");
    }
    acknowledged.forEach((key, n) -> {
      Integer there = found.get(key);
      assertNotNull(there, () -> "round " + round + " lost " + key);
      assertTrue(there >= n && there <= sent.get(key), () -> key + ": " + n + " now " + there);
    });
    found.forEach((key, n) -> assertTrue(sent.containsKey(key), () -> "never sent: " + key));
    System.out.println(
        "round "
            + (round + 1)
            + ": "
            + acknowledged.size()
            + " acknowledged, "
            + found.size()
            + " found, none twice"
            + (killedInAMerge ? ", killed in a merge" : ""));
  }
}
