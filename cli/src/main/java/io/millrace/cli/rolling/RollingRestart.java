package io.millrace.cli.rolling;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.Health;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks a cluster: announces a node, has it restarted, waits until it is back and the cluster is
 * green, and goes on with the next. The cluster manager of the moment always waits for the others,
 * so that its role moves once.
 *
 * <p>Nothing is written down. What is done is read off the nodes: each tells when it started, and
 * the walk begins with the latest start of all. So a walk that stopped goes on from anywhere.
 */
final class RollingRestart {
  private static final long PAUSE_MILLIS = 500;

  /** Searches that have asked an announced node fetch their hits from it meanwhile. */
  private static final long LAST_SEARCHES_MILLIS = 1_000;

  private final ClusterClient client;
  private final Hook hook;
  private final Duration patience;
  private final PrintWriter out;

  /** Ids of nodes that are done, whatever their clocks say. */
  private final Set<String> restarted = new HashSet<>();

  /** Restarts a node. */
  @FunctionalInterface
  interface Hook {
    /** Returns when the node was told to restart; 0 for success. */
    int restart(Node node) throws InterruptedException;
  }

  /**
   * A node of the cluster.
   *
   * @param started when its process started, in milliseconds since 1970 by its own clock
   */
  record Node(String id, String name, String host, long started) {}

  /**
   * @param patience for how long copies wait for a node, and the walk for a green cluster
   */
  RollingRestart(ClusterClient client, Hook hook, Duration patience, PrintWriter out) {
    this.client = client;
    this.hook = hook;
    this.patience = patience;
    this.out = out;
  }

  /**
   * Restarts every node that did not start after the given time.
   *
   * @param since milliseconds since 1970; {@code null} for all nodes
   * @return the exit code of success
   * @throws ExpectedFailure at the first trouble, with the way to go on
   */
  int walk(@Nullable Long since) throws InterruptedException {
    List<Node> all = nodes();
    long latest = all.stream().mapToLong(Node::started).max().orElse(0);
    long done = since == null ? latest : since;
    if (done > Math.max(latest, System.currentTimeMillis())) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--since " + done + " lies in the future: every node would be restarted again and again",
          "Give the number that the earlier walk named. Nodes that started later are done.");
    }
    int size = all.size();
    say(size + " nodes; those that started after " + done + " are done");
    say("a walk that ends early goes on with --since " + done);
    awaitGreen(size, done);
    while (true) {
      Optional<Node> next = next(done);
      if (next.isEmpty()) {
        say("every node has been restarted");
        return ExitCode.OK;
      }
      restart(next.get(), size, done);
    }
  }

  /** The cluster manager comes when all others are done. */
  private Optional<Node> next(long done) {
    String manager = manager();
    return nodes().stream()
        .filter(node -> node.started() <= done && !restarted.contains(node.id()))
        .min(
            Comparator.comparing((Node node) -> node.id().equals(manager))
                .thenComparing(Node::name));
  }

  private void restart(Node node, int size, long done) throws InterruptedException {
    boolean announced = announce(node, done);
    if (announced) {
      Thread.sleep(LAST_SEARCHES_MILLIS);
    }
    int code = hook.restart(node);
    if (code != 0) {
      throw stopped("the hook ended with " + code + " for " + node.name(), done);
    }
    long limit = System.nanoTime() + patience.toNanos();
    Optional<Node> back = newProcess(node);
    while (back.isEmpty()) {
      if (System.nanoTime() > limit) {
        throw stopped(node.name() + " has not come back as a new process", done);
      }
      Thread.sleep(PAUSE_MILLIS);
      back = newProcess(node);
    }
    restarted.add(back.get().id());
    awaitGreen(size, done);
    if (announced) {
      client.call("POST", "/_millrace/restart/_end?node=" + encoded(node.id()), null);
    }
    say(node.name() + ": is back, the cluster is green");
  }

  /** Whether the cluster knows what an announcement is. */
  private boolean announce(Node node, long done) {
    String path = "/_millrace/restart/_begin?node=%s&ttl=%ds";
    Answer begun =
        client.call("POST", path.formatted(encoded(node.id()), patience.toSeconds()), null);
    JsonNode json = begun.json();
    if (begun.status() == 200 && json != null) {
      say(node.name() + ": announced, is restarted");
      json.path("notes").forEach(note -> say(node.name() + ": " + note.asText()));
      return true;
    }
    if (!withoutPlugin(begun)) {
      throw stopped(
          node.name() + " cannot be announced: HTTP " + begun.status() + " " + begun.reason(),
          done);
    }
    say(
        node.name()
            + ": is restarted, and not announced, as a node has no Millrace plugin: its copies"
            + " wait for index.unassigned.node_left.delayed_timeout only");
    return false;
  }

  /** A node of stock was asked, or is the cluster manager. */
  private static boolean withoutPlugin(Answer answer) {
    String reason = answer.reason().toLowerCase(Locale.ROOT);
    return reason.contains("no handler found for uri") || reason.contains("no handler for action");
  }

  private void awaitGreen(int size, long done) throws InterruptedException {
    long limit = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<Health> health = Health.of(client);
      if (health.filter(now -> now.settled(size)).isPresent()) {
        return;
      }
      if (System.nanoTime() > limit) {
        throw stopped(
            "the cluster is not green with "
                + size
                + " nodes: "
                + health.map(Health::describe).orElse("no answer"),
            done);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private ExpectedFailure stopped(String what, long done) {
    return new ExpectedFailure(
        ExitCode.FAILED,
        what,
        "Nodes that were not restarted were left alone. When the cause is gone, go on with the"
            + " same command and --since "
            + done
            + "; POST /_millrace/restart/_end stops copies from waiting.");
  }

  /**
   * The process that has taken the node's place: of another start, whatever its clock says, and of
   * the same id; one that lost its data has the name alone.
   */
  private Optional<Node> newProcess(Node old) {
    try {
      List<Node> now = nodes();
      boolean kept = now.stream().anyMatch(node -> node.id().equals(old.id()));
      return now.stream()
          .filter(node -> kept ? node.id().equals(old.id()) : node.name().equals(old.name()))
          .filter(node -> node.started() != old.started())
          .findFirst();
    } catch (ExpectedFailure noAnswerWhileItIsAway) {
      return Optional.empty();
    }
  }

  private List<Node> nodes() {
    Answer answer = client.call("GET", "/_nodes/jvm", null);
    JsonNode json = answer.json();
    if (answer.status() != 200 || json == null) {
      throw new ExpectedFailure(
          ExitCode.CLUSTER,
          "the nodes cannot be listed: HTTP " + answer.status() + " " + answer.reason(),
          null);
    }
    List<Node> nodes = new ArrayList<>();
    json.path("nodes")
        .properties()
        .forEach(each ->
            nodes.add(
                new Node(
                    each.getKey(),
                    each.getValue().path("name").asText(),
                    each.getValue().path("host").asText(),
                    each.getValue().path("jvm").path("start_time_in_millis").asLong())));
    return nodes;
  }

  private String manager() {
    JsonNode json = client.call("GET", "/_cluster/state/master_node", null).json();
    return json == null ? "" : json.path("cluster_manager_node").asText();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
