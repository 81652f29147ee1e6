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
import java.util.List;
import java.util.Optional;
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

  private final ClusterClient client;
  private final Hook hook;
  private final Duration patience;
  private final PrintWriter out;

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
    long done = since != null ? since : all.stream().mapToLong(Node::started).max().orElse(0);
    int size = all.size();
    say(size + " nodes; those that started after " + done + " are done");
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
        .filter(node -> node.started() <= done)
        .min(
            Comparator.comparing((Node node) -> node.id().equals(manager))
                .thenComparing(Node::name));
  }

  private void restart(Node node, int size, long done) throws InterruptedException {
    Answer begun =
        client.call(
            "POST",
            "/_millrace/restart/_begin?node="
                + encoded(node.id())
                + "&ttl="
                + patience.toSeconds()
                + "s",
            null);
    JsonNode json = begun.json();
    if (begun.status() != 200 || json == null) {
      throw stopped(
          node.name() + " cannot be announced: HTTP " + begun.status() + " " + begun.reason(),
          done);
    }
    say(node.name() + ": announced, is restarted");
    json.path("notes").forEach(note -> say(node.name() + ": " + note.asText()));
    int code = hook.restart(node);
    if (code != 0) {
      throw stopped("the hook ended with " + code + " for " + node.name(), done);
    }
    long limit = System.nanoTime() + patience.toNanos();
    while (find(node.id()).filter(now -> now.started() > node.started()).isEmpty()) {
      if (System.nanoTime() > limit) {
        throw stopped(node.name() + " has not come back as a new process", done);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    awaitGreen(size, done);
    client.call("POST", "/_millrace/restart/_end?node=" + encoded(node.id()), null);
    say(node.name() + ": is back, the cluster is green");
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

  private Optional<Node> find(String id) {
    try {
      return nodes().stream().filter(node -> node.id().equals(id)).findFirst();
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
