package io.millrace.it.hostile;

import io.millrace.it.guard.Acknowledgements;
import io.millrace.it.guard.Clients;
import io.millrace.it.support.ClientThreads;
import io.millrace.it.support.CpuSamples;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What the lanes cost while nobody is heavy: the share of a node's CPU samples that a flight
 * recorder takes in their classes, and in all of guard, while two clients write, while two ask for
 * one hit each, and while two ask as a page of logs does, for hits and counts over time. It asserts
 * no figure and prints them.
 *
 * <p>Run with {@code -Dmillrace.lanes.cost=SECONDS}, the time of each part.
 */
@EnabledIfSystemProperty(named = "millrace.lanes.cost", matches = "\\d+")
class LanesCostIT {
  private static final int SECONDS = Integer.getInteger("millrace.lanes.cost", 30);
  private static final int DOCUMENTS = 100_000;
  private static final int CLIENTS = 2;
  private static final String LANES = "io.millrace.guard.lanes.";
  private static final String GUARD = "io.millrace.guard.";
  private static final String PAGE =
      "{\"size\":50,\"sort\":[{\"@timestamp\":\"desc\"}],\"query\":{\"bool\":{\"filter\":["
          + "{\"term\":{\"service\":\"svc-3\"}},{\"range\":{\"@timestamp\":{\"gte\":%d}}}]}},"
          + "\"aggs\":{\"t\":{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\"1m\"},"
          + "\"aggs\":{\"l\":{\"terms\":{\"field\":\"level\"}}}}}}";

  @Test
  void ofDocumentsAndSearches() throws Exception {
    try (Cluster cluster = Cluster.of(Tree.MILLRACE, 1).optimized().heap("1g").start()) {
      ClusterNode node = cluster.node(0);
      HostileLogs.load(node.http(), DOCUMENTS);
      for (String classes : new String[] {LANES, GUARD}) {
        print("documents", samples(node, classes, () -> write(node)));
        print(
            "searches for one hit",
            samples(node, classes, () -> search(node, LightSearches.SEARCH)));
        String page = String.format(Locale.ROOT, PAGE, Choices.FIRST + DOCUMENTS * 5L);
        print("pages of logs", samples(node, classes, () -> search(node, page)));
      }
    }
  }

  private static CpuSamples samples(ClusterNode node, String classes, Callable<?> work)
      throws Exception {
    work.call(); // the first ones are compiled
    long pid = node.process().pid();
    CpuSamples.start(pid);
    work.call();
    return CpuSamples.stop(pid, classes, node.spec().logs());
  }

  private static boolean write(ClusterNode node) throws InterruptedException {
    Acknowledgements acknowledged = new Acknowledgements("written");
    try (Clients writers = Clients.writing(node.port(), CLIENTS, 500, 0, acknowledged)) {
      Thread.sleep(SECONDS * 1_000L);
      writers.finish(Duration.ofSeconds(30));
    }
    return true;
  }

  private static boolean search(ClusterNode node, String body) throws InterruptedException {
    String path = "/" + Choices.INDEX + "/_search?request_cache=false";
    try (ClientThreads clients =
        new ClientThreads(
            "searching",
            node.port(),
            CLIENTS,
            Duration.ofSeconds(30),
            Duration.ZERO,
            http -> http.post(path, body).ok())) {
      Thread.sleep(SECONDS * 1_000L);
      clients.finish(Duration.ofSeconds(30));
    }
    return true;
  }

  private static void print(String work, CpuSamples samples) {
    System.out.println(work + ": " + samples);
  }
}
