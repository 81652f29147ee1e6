package io.millrace.it.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
 * every acknowledged document is there, with the content that was acknowledged or a later one, and
 * no document is there twice.
 *
 * <p>Own ids (a sixth sent again, some by {@code create}), generated ids, the logs profile, the
 * zstandard codec, and what is on by default: the fast engine and the primary-key filter. Two
 * rounds, or {@code -Dmillrace.crash.rounds=20}.
 */
class KilledWriterIT {
  private static final int ROUNDS = Integer.getInteger("millrace.crash.rounds", 2);

  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private final Random random = new Random(ROUNDS);
  // a key belongs to one writer; what was acknowledged last, and what was sent last
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Integer> sent = new ConcurrentHashMap<>();
  private final AtomicInteger sequence = new AtomicInteger();

  @Test
  void everyAcknowledgedDocumentIsThereOnce() throws Exception {
    ClusterNode node = CLUSTER.get().node(0);
    node.http()
        .put(
            "/killed",
            "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,"
                + "\"index.millrace.profile\":\"logs\",\"index.codec\":\"zstandard\","
                // nothing is deleted here: the filter need not wait for deletes to be forgotten
                + "\"index.translog.flush_threshold_size\":\"2mb\",\"index.gc_deletes\":\"-1ms\"},"
                + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"},"
                + "\"key\":{\"type\":\"keyword\"},\"message\":{\"type\":\"log_text\"}}}}")
        .ok();
    CLUSTER.get().awaitGreen();
    double appended = 0;
    for (int round = 0; round < ROUNDS; round++) {
      appended += writeUntilKilled(node, 2_000 + random.nextInt(12_000));
      node.start();
      node.awaitAnswer();
      CLUSTER.get().awaitYellow();
      verify(node.http(), round);
    }
    assertTrue(appended > 0, "the primary-key filter was not used");
  }

  /** Returns how many documents the filter has let be appended. */
  private double writeUntilKilled(ClusterNode node, int documents) throws Exception {
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
        body.append("{\"n\":").append(n).append(",\"key\":\"").append(key);
        body.append("\",\"message\":\"request ").append(n).append(" took 12 ms\"}\n");
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
                  "{\"size\":0,\"aggs\":{\"p\":{\"composite\":{\"size\":10000,\"sources\":"
                      + "[{\"key\":{\"terms\":{\"field\":\"key\"}}}]"
                      + after
                      + "},\"aggs\":{\"n\":{\"max\":{\"field\":\"n\"}}}}}}")
              .ok();
      assertEquals(0, page.at("/_shards/failed").asInt(), page::toString);
      JsonNode buckets = page.at("/aggregations/p/buckets");
      if (buckets.isEmpty()) {
        break;
      }
      for (JsonNode bucket : buckets) {
        String key = bucket.at("/key/key").asText();
        assertEquals(1, bucket.path("doc_count").asInt(), () -> "twice: " + key);
        found.put(key, bucket.at("/n/value").asInt());
      }
      after = ",\"after\":" + page.at("/aggregations/p/after_key");
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
            + " found, none twice");
  }
}
