package io.millrace.it.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Searches with {@code timeout=100ms} that would take seconds: each is answered, none fails whose
 * work can be cut short, and nothing goes on afterwards. How soon they end depends on the machine:
 * those that end by themselves have a long grace. With {@code -Dmillrace.deadline.measure=true} all
 * have the default, and it prints by how much each ran over its time, beside stock.
 */
class DeadlineIT {
  private static final Logger LOG = Logger.getLogger(DeadlineIT.class.getName());
  private static final int DOCUMENTS = 40_000;
  private static final int BULK = 2_000;

  /** Longer than that nobody waits for stock. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** For a machine that has other work: the class loading of a first script alone takes a while. */
  private static final Duration LONG = Duration.ofMinutes(1);

  /** Shards of the indices; the last is searched once, so that its ordinals are not there yet. */
  private static final Map<String, Integer> INDICES =
      Map.of("one", 1, "four", 4, "twelve", 12, "ordinals", 1);

  /**
   * @param millis from the request to the end of the answer
   * @param left tasks of searches one second after that
   */
  private record Outcome(@Nullable JsonAnswer answer, long millis, int left) {
    private String what() {
      if (answer == null) {
        return "no answer";
      }
      return answer.status() != 200
          ? "HTTP " + answer.status()
          : (answer.at("/timed_out").asBoolean() ? "timed out" : "complete")
              + ", "
              + answer.at("/hits/hits").size()
              + " hits";
    }

    String told() {
      return String.format(
          Locale.ROOT,
          "%s%d ms, %s%s",
          answer == null ? "more than " : "",
          millis - HostileSearch.TIMEOUT_MILLIS,
          what(),
          left > 0 ? ", goes on" : "");
    }
  }

  @Test
  void hostileSearchesEndInTime() throws Exception {
    boolean measure = Boolean.getBoolean("millrace.deadline.measure");
    List<Outcome> ours = run(Tree.MILLRACE, measure);
    List<Outcome> stocks = measure ? run(Tree.STOCK, true) : List.of();
    List<HostileSearch> searches = HostileSearch.all();
    for (int i = 0; i < searches.size(); i++) {
      if (measure) {
        System.out.printf(
            Locale.ROOT,
            "| %s | %s | %s |%n",
            searches.get(i).name(),
            stocks.get(i).told(),
            ours.get(i).told());
      }
      JsonAnswer answer = Objects.requireNonNull(ours.get(i).answer(), searches.get(i).name());
      if (searches.get(i).takesSeconds()) {
        assertTrue(answer.at("/timed_out").asBoolean(), searches.get(i).name() + ": " + answer);
      }
      if (searches.get(i).hasPartialAnswer() || answer.status() == 200) {
        assertPartial(searches.get(i).name(), answer);
      } else {
        assertEquals(504, answer.status(), answer.toString());
        assertTrue(answer.body().contains("millrace.search.deadline.grace"), answer.toString());
      }
    }
  }

  private static void assertPartial(String name, JsonAnswer answer) {
    assertEquals(200, answer.status(), name + ": " + answer);
    assertEquals(0, answer.at("/_shards/failed").asInt(), name + ": " + answer.at("/_shards"));
    for (var hit : answer.at("/hits/hits")) {
      assertTrue(hit.has("_id"), name + ": " + hit);
    }
  }

  private static List<Outcome> run(Tree tree, boolean measure) throws Exception {
    try (Cluster cluster = Cluster.of(tree, 1).optimized().heap("1g").start()) {
      JsonHttp http = cluster.http();
      for (Map.Entry<String, Integer> index : INDICES.entrySet()) {
        fill(http, index.getKey(), index.getValue());
      }
      List<Outcome> outcomes = new ArrayList<>();
      // the first round warms the classes and scripts; what is kept is the last
      for (int round = 0; round < (measure ? 2 : 1); round++) {
        outcomes.clear();
        for (HostileSearch search : HostileSearch.all()) {
          if (tree == Tree.MILLRACE && !measure) {
            grace(http, search.hasPartialAnswer() ? "\"" + LONG.toSeconds() + "s\"" : "null");
          }
          outcomes.add(ask(http, search, measure ? PATIENCE : LONG.multipliedBy(2)));
        }
      }
      return outcomes;
    }
  }

  /** A search that is left to end by itself must not meet the net that stops the others. */
  private static void grace(JsonHttp http, String value) {
    http.put(
            "/_cluster/settings",
            "{\"persistent\":{\"millrace.search.deadline.grace\":" + value + "}}")
        .ok();
  }

  private static Outcome ask(JsonHttp http, HostileSearch search, Duration patience)
      throws Exception {
    if (search.index().equals("ordinals")) {
      http.post("/ordinals/_cache/clear").ok();
    }
    long began = System.nanoTime();
    JsonAnswer answer = null;
    try (JsonHttp impatient = new JsonHttp(http.base(), patience)) {
      answer =
          impatient.post("/" + search.index() + "/_search?request_cache=false", search.request());
    } catch (UncheckedIOException e) {
      LOG.log(Level.FINE, "no answer to " + search.name(), e);
    }
    long millis = (System.nanoTime() - began) / 1_000_000;
    Thread.sleep(1000); // what is measured is whether work is left after this
    int left = running(http);
    Await.until("no search", Duration.ofMinutes(3), () -> running(http) == 0);
    return new Outcome(answer, millis, left);
  }

  private static int running(JsonHttp http) {
    int tasks = 0;
    for (var node : http.get("/_tasks?actions=indices:data/read/search*").ok().at("/nodes")) {
      tasks += node.at("/tasks").size();
    }
    return tasks;
  }

  private static void fill(JsonHttp http, String index, int shards) {
    http.put(
            "/" + index,
            "{\"settings\":{\"number_of_shards\":"
                + shards
                + ",\"number_of_replicas\":0,\"refresh_interval\":\"-1\"},\"mappings\":{\"properties\":"
                + "{\"id\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},\"text\":{\"type\":\"text\"}}}}")
        .ok();
    for (int from = 0; from < DOCUMENTS; from += BULK) {
      JsonAnswer answer = http.post("/" + index + "/_bulk", HostileSearch.bulk(from, BULK)).ok();
      assertEquals(false, answer.at("/errors").asBoolean());
      if (from % (5 * BULK) == 0) {
        http.post("/" + index + "/_refresh").ok();
      }
    }
    http.post("/" + index + "/_refresh").ok();
  }
}
