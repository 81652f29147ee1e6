package io.millrace.it.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.guard.Acknowledgements;
import io.millrace.it.guard.Clients;
import io.millrace.it.guard.HealthGaps;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Requests that a grammar makes of the whole surface of queries, aggregations and the API, with
 * parameters at their ends, from four clients at once and beside a writer, on a node with 512 MB.
 * The node has to live, without an OutOfMemoryError, to serve afterwards, and to have every
 * document that it acknowledged. It prints the times of health and of a light search, answers that
 * nobody should get, and what was under way when no answer came.
 *
 * <table>
 * <tr><td>{@code millrace.hostile.seconds}</td><td>for how long, 20; hours by command</td></tr>
 * <tr><td>{@code millrace.hostile.seed}</td><td>of the requests, 1</td></tr>
 * <tr><td>{@code millrace.hostile.logs}</td><td>documents that are asked, 10000</td></tr>
 * <tr><td>{@code millrace.hostile.tree}</td><td>{@code stock}: the same on a stock node</td></tr>
 * <tr><td>{@code millrace.hostile.shrink}</td><td>how many smaller requests are tried where one
 * alone does what was found, 0</td></tr>
 * </table>
 */
class HostileRequestsIT {
  private static final int SECONDS = Integer.getInteger("millrace.hostile.seconds", 20);
  private static final long SEED = Long.getLong("millrace.hostile.seed", 1);
  private static final int DOCUMENTS = Integer.getInteger("millrace.hostile.logs", 10_000);
  private static final int SHRINK = Integer.getInteger("millrace.hostile.shrink", 0);
  private static final boolean ON_STOCK =
      "stock".equals(System.getProperty("millrace.hostile.tree"));
  private static final int CLIENTS = 4;

  /** Milliseconds after the clients have left in which work has to end. */
  private static final long AFTERWARDS = 5_000;

  /** Seconds without an answer that are a find. */
  private static final double OUTAGE = 3;

  private final List<HostileRequest> suspects = new ArrayList<>();

  @Test
  void aNodeOutlivesThem() throws Exception {
    Tree tree = ON_STOCK ? Tree.STOCK : Tree.MILLRACE;
    try (Cluster cluster = Cluster.of(tree, 1).optimized().heap("512m").start()) {
      ClusterNode node = cluster.node(0);
      if (ON_STOCK) {
        HostileLogs.mapForStock(node.http());
      }
      HostileLogs.loadForModules(node.http(), DOCUMENTS);
      Acknowledgements acknowledged = new Acknowledgements("written");
      try (Clients writer = Clients.writing(node.port(), 1, 50, 200, acknowledged)) {
        storm(node);
        writer.finish(Duration.ofSeconds(30));
      }
      boolean lived = node.alive() && !node.log().contains("java.lang.OutOfMemoryError");
      narrow(cluster);
      assertTrue(lived, node::tail);
      Await.until("the node to serve again", Duration.ofMinutes(3), () -> count(node) == DOCUMENTS);
      assertEquals(0, acknowledged.lost(node.http()));
    }
  }

  private static int count(ClusterNode node) {
    var answer = node.http().get("/" + Choices.INDEX + "/_count");
    return answer.status() == 200 ? answer.at("/count").asInt() : -1;
  }

  private void storm(ClusterNode node) throws InterruptedException {
    RequestGrammar grammar = new RequestGrammar(SEED);
    long until = System.nanoTime() + SECONDS * 1_000_000_000L;
    try (HealthGaps gaps = new HealthGaps(node.port());
        LightSearches light = new LightSearches(node.port());
        HostileClients clients = new HostileClients(node.port(), CLIENTS, grammar::next)) {
      boolean silent = false;
      while (System.nanoTime() < until && node.alive()) {
        if (gaps.silence() > OUTAGE != silent) {
          silent = !silent;
          find(silent, gaps, clients);
        }
        Thread.sleep(100);
      }
      if (!node.alive()) {
        suspects.addAll(clients.underWay());
      }
      System.out.printf(
          Locale.ROOT,
          "seed %d, %d s: answers %s; %s; longest time without health %.2f s%n",
          SEED,
          SECONDS,
          clients.answers(),
          light,
          gaps.longestOutage());
      clients.odd().forEach((kind, request) -> System.out.println(kind + " <- " + request));
    }
    stillAtWork(node);
  }

  /** What goes on although its client has left; its clients have, all of them. */
  private static void stillAtWork(ClusterNode node) throws InterruptedException {
    Thread.sleep(AFTERWARDS);
    if (!node.alive()) {
      return;
    }
    JsonNode nodes = node.http().get("/_tasks?detailed").ok().at("/nodes");
    for (JsonNode task : nodes.findValues("tasks")) {
      for (JsonNode each : task) {
        long millis = each.path("running_time_in_nanos").asLong() / 1_000_000;
        if (millis > AFTERWARDS) {
          System.out.printf(
              Locale.ROOT,
              "still at work after %d ms: %s %.300s%n",
              millis,
              each.path("action").asText(),
              each.path("description").asText());
        }
      }
    }
  }

  private void find(boolean silent, HealthGaps gaps, HostileClients clients) {
    if (silent) {
      suspects.addAll(clients.underWay());
      System.out.println("no answer for 3 s, under way:");
      clients.underWay().forEach(request -> System.out.println("  " + request));
    } else {
      System.out.printf(Locale.ROOT, "answers again; %.2f s at most%n", gaps.longestOutage());
    }
  }

  /** Tries what was under way one by one, and makes smaller what does it alone. */
  private void narrow(Cluster cluster) {
    ClusterNode node = cluster.node(0);
    for (HostileRequest suspect : SHRINK == 0 ? List.<HostileRequest>of() : suspects) {
      if (suspect.body() == null || suspect.body().endsWith("\n") || !silences(cluster, suspect)) {
        continue;
      }
      JsonNode smallest =
          Shrink.of(tree(suspect.body()), SHRINK, body -> silences(cluster, with(suspect, body)));
      System.out.println("alone: " + with(suspect, smallest));
    }
    serving(cluster, node);
  }

  private static HostileRequest with(HostileRequest request, JsonNode body) {
    return HostileRequest.of(request.rule(), request.method(), request.path(), body);
  }

  private static JsonNode tree(String body) {
    try {
      return JsonHttp.MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Whether four clients with this request alone take the answer to health away. */
  private static boolean silences(Cluster cluster, HostileRequest request) {
    ClusterNode node = cluster.node(0);
    serving(cluster, node);
    try (HealthGaps gaps = new HealthGaps(node.port());
        HostileClients clients = new HostileClients(node.port(), CLIENTS, () -> request)) {
      long until = System.nanoTime() + Duration.ofSeconds(15).toNanos();
      while (System.nanoTime() < until && node.alive() && gaps.silence() <= OUTAGE) {
        Thread.sleep(100);
      }
      return !node.alive() || gaps.silence() > OUTAGE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void serving(Cluster cluster, ClusterNode node) {
    if (!node.alive()) {
      node.start();
      node.awaitAnswer();
      cluster.awaitYellow();
    }
  }
}
