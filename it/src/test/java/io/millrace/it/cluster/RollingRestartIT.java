package io.millrace.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code millrace rolling-restart} walks a cluster while {@code millrace ingest} loads and searches
 * are sent. Its hook leaves the name of the node for this test, which stops and starts it. The
 * times of the searches are printed, before the walk and during it.
 *
 * <p>Run with {@code -Dmillrace.rolling.nodes=5}; {@code -Dmillrace.rolling.heap=448m} and {@code
 * -Dmillrace.rolling.seconds=60}, the time before the walk that is compared.
 */
@EnabledIfSystemProperty(named = "millrace.rolling.nodes", matches = "\\d+")
class RollingRestartIT {
  private static final int NODES = Integer.getInteger("millrace.rolling.nodes", 5);
  private static final int SECONDS = Integer.getInteger("millrace.rolling.seconds", 60);
  private static final int PER_SECOND = 500;
  private static final String INDEX = "rolled";

  @TempDir private Path folder = Path.of("");

  @Test
  void nobodyNotices() throws Exception {
    String heap = System.getProperty("millrace.rolling.heap", "448m");
    try (Cluster cluster = Cluster.of(Tree.MILLRACE, NODES).heap(heap).optimized().start()) {
      JsonHttp http = cluster.node(0).http();
      ShardPlaces.make(http, INDEX, NODES);
      List<String> urls =
          cluster.nodes().stream().map(node -> node.http().base().toString()).toList();
      List<Long> processes = processes(cluster);
      try (PipedIngest ingest = new PipedIngest(folder, INDEX, urls, PER_SECOND);
          SteadySearches searches = new SteadySearches(urls, INDEX)) {
        Await.until("documents", Duration.ofMinutes(2), () -> count(http) > 40 * PER_SECOND);
        searches.next();
        Thread.sleep(Duration.ofSeconds(SECONDS)); // the load without a restart is measured
        SteadySearches.Span before = searches.next();
        long begun = System.nanoTime();
        Outcome walk = walk(cluster, urls);
        double seconds = (System.nanoTime() - begun) / 1e9;
        SteadySearches.Span during = searches.next();
        JsonNode summary = ingest.finish();
        System.out.printf(
            Locale.ROOT,
            "%d nodes restarted in %.0f s%nbefore: %s%nduring: %s, p99 %.1f x%n%s%n",
            NODES,
            seconds,
            before,
            during,
            during.p99() / before.p99(),
            summary);
        during.failures().stream().limit(3).forEach(System.out::println);
        walk.ok();
        assertEquals(0, summary.path("refused").asInt(), summary.toString());
        assertEquals(0, summary.path("not_acknowledged").asInt(), summary.toString());
        http.post("/" + INDEX + "/_refresh").ok();
        assertEquals(ingest.sent(), count(http), summary.toString());
        List<Long> now = processes(cluster);
        for (int i = 0; i < NODES; i++) {
          assertNotEquals(processes.get(i), now.get(i), walk.toString());
        }
        assertEquals(List.of(), during.failures().stream().limit(3).toList());
      }
    }
  }

  private static int count(JsonHttp http) {
    return http.get("/" + INDEX + "/_count").ok().at("/count").asInt();
  }

  private static List<Long> processes(Cluster cluster) {
    return cluster.nodes().stream().map(node -> node.process().pid()).toList();
  }

  /** Runs the command, and restarts each node for which its hook asks. */
  private Outcome walk(Cluster cluster, List<String> urls) throws Exception {
    Path asked = Files.createDirectory(folder.resolve("asked"));
    List<String> command =
        List.of(
            Tree.MILLRACE.home().resolve("bin/millrace").toString(),
            "rolling-restart",
            "--url",
            String.join(",", urls),
            "--minutes",
            "5",
            "--hook",
            "touch '" + asked + "'/\"$MILLRACE_NODE_NAME\"");
    Map<String, String> environment =
        Map.of("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    CompletableFuture<Outcome> walk =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Commands.run(folder, environment, command);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            // on two processors the common pool has one thread, by which the JDK's HTTP client
            // hands over its answers: no search would end before the walk does
            walking -> new Thread(walking, "walk").start());
    Await.until(
        "the end of the walk",
        Duration.ofMinutes(15),
        () -> {
          restartAsked(cluster, asked);
          return walk.isDone();
        });
    return walk.get();
  }

  private static void restartAsked(Cluster cluster, Path asked) throws IOException {
    for (ClusterNode node : cluster.nodes()) {
      if (Files.deleteIfExists(asked.resolve(node.name()))) {
        node.stop();
        node.start();
      }
    }
  }
}
