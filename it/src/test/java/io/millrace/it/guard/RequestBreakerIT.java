package io.millrace.it.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The storms K2 and K4 (guard/docs/storms.md) on one node with 512 MB: stock goes down with either.
 * Here the request is answered 429 with limit and remedy, and the node serves on.
 */
class RequestBreakerIT {
  private static final int DOCUMENTS = 100_000;
  private static final int BULK = 5_000;

  private static final String COLLECTS =
      """
      {"size":0,"aggs":{"s":{"scripted_metric":{"init_script":"state.l=[]",
       "map_script":"for(int i=0;i<100;i++) state.l.add(doc['trace_id'].value+i)",
       "combine_script":"return state.l","reduce_script":"return states.size()"}}}}
      """;

  private static final String TERMS_WITH_TOP_HITS =
      """
      {"size":0,"aggs":{"h":{"terms":{"field":"trace_id","size":60000},
       "aggs":{"t":{"top_hits":{"size":100}}}}}}
      """;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.of(Tree.MILLRACE, 1).optimized().heap("512m").start();
    JsonHttp http = cluster.http();
    http.put(
            "/storm",
            "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0},\"mappings\":"
                + "{\"properties\":{\"trace_id\":{\"type\":\"keyword\"}}}}")
        .ok();
    for (int from = 0; from < DOCUMENTS; from += BULK) {
      StringBuilder bulk = new StringBuilder();
      for (int i = from; i < from + BULK; i++) {
        bulk.append("{\"index\":{}}\n{\"trace_id\":\"")
            .append(String.format(java.util.Locale.ROOT, "%032x", i * 0x9E3779B97F4A7C15L))
            .append("\",\"message\":\"request ")
            .append(i)
            .append(" failed\"}\n");
      }
      assertEquals(false, http.post("/storm/_bulk", bulk.toString()).at("/errors").asBoolean());
    }
    http.post("/storm/_refresh").ok();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void aScriptThatCollectsEverythingIsStopped() throws Exception {
    assertStoppedAndServing(COLLECTS, 1, 4);
  }

  @Test
  void termsWithTopHitsFromFourClientsAreStopped() throws Exception {
    assertStoppedAndServing(TERMS_WITH_TOP_HITS, 4, 2);
  }

  private static void assertStoppedAndServing(String search, int clients, int each)
      throws Exception {
    List<JsonAnswer> answers = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
      List<Future<List<JsonAnswer>>> sent = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        sent.add(
            pool.submit(() -> {
              List<JsonAnswer> mine = new ArrayList<>();
              try (JsonHttp http = new JsonHttp(cluster.http().base())) {
                for (int n = 0; n < each; n++) {
                  mine.add(http.post("/storm/_search?request_cache=false", search));
                }
              }
              return mine;
            }));
      }
      for (Future<List<JsonAnswer>> one : sent) {
        answers.addAll(one.get(5, TimeUnit.MINUTES));
      }
    }
    assertTrue(cluster.node(0).alive(), cluster.node(0).tail());
    int ours = 0;
    for (JsonAnswer answer : answers) {
      assertEquals(429, answer.status(), answer.toString());
      ours += answer.body().contains("millrace.guard.request_breaker") ? 1 : 0;
    }
    assertTrue(ours > 0, answers.toString());
    // until the garbage is collected, stock's parent breaker may refuse whoever comes
    Await.until(
        "counts to be served again",
        Duration.ofMinutes(3),
        () -> {
          JsonAnswer count = cluster.http().get("/storm/_count");
          assertTrue(count.status() == 429 || count.status() == 200, count.toString());
          return count.status() == 200 && count.at("/count").asInt() == DOCUMENTS;
        });
    Await.until(
        "a heap below 60 %",
        Duration.ofMinutes(3),
        () -> {
          // garbage counts as used until somebody allocates: a node that nobody asks collects none
          cluster.http().post("/storm/_search?size=2000&request_cache=false").ok();
          return cluster
                  .http()
                  .get("/_nodes/stats/jvm")
                  .ok()
                  .json()
                  .findValue("heap_used_percent")
                  .asInt()
              < 60;
        });
  }
}
