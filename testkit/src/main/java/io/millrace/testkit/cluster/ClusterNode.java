package io.millrace.testkit.cluster;

import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.testkit.Await;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One real node: the tree's own {@code bin/opensearch} in a process of its own, started by the code
 * behind {@code millrace up}.
 *
 * <p>It can be killed and started again on the same data and ports. All its files live in one
 * folder that the {@link Cluster} removes.
 */
public final class ClusterNode {
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration STOP = Duration.ofMinutes(2);

  private volatile NodeSpec spec;
  private final JsonHttp http;
  private volatile @Nullable NodeProcess process;

  ClusterNode(NodeSpec spec) {
    this.spec = spec;
    this.http = new JsonHttp(URI.create("http://127.0.0.1:" + spec.httpPort()));
  }

  /** The node's name, {@code node-0} and up. */
  public String name() {
    return spec.name();
  }

  /** The port of its REST interface on 127.0.0.1. */
  public int port() {
    return spec.httpPort();
  }

  /** What it was started with. */
  public NodeSpec spec() {
    return spec;
  }

  /** A client of this node. */
  public JsonHttp http() {
    return http;
  }

  /** The running process: its pid, its CPU time. */
  public NodeProcess process() {
    NodeProcess current = process;
    if (current == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return current;
  }

  /** Whether the process lives. */
  public boolean alive() {
    NodeProcess current = process;
    return current != null && current.alive();
  }

  /** The server's log, and after it what the JVM of the last start printed by itself. */
  public String log() {
    return read(spec.serverLog()) + read(spec.consoleLog());
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts the process and returns without waiting for the node.
   *
   * @throws IllegalStateException when it runs already
   */
  public void start() {
    if (alive()) {
      throw new IllegalStateException(name() + " runs already, pid " + process().pid());
    }
    process = NodeProcess.start(spec);
  }

  /**
   * From the next start on the node runs from another tree, on the same data.
   *
   * @param home where the node's user may read it
   * @throws IllegalStateException while the node runs
   */
  public void tree(Path home) {
    if (alive()) {
      throw new IllegalStateException(name() + " runs, pid " + process().pid());
    }
    spec = spec.from(home);
  }

  /**
   * Waits until the node answers on its REST port.
   *
   * @throws AssertionError when the process ends or five minutes pass, with the end of its log
   */
  public void awaitAnswer() {
    NodeProcess current = process();
    try {
      Await.until(
          name() + " to answer on " + http.base(),
          START,
          () -> !current.alive() || http.get("/").status() == 200);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + tail(), e);
    }
    if (!current.alive()) {
      throw new AssertionError(name() + " ended while starting\n" + tail());
    }
  }

  /** Waits at most {@code limit} for the process to end by itself. */
  public void awaitEnd(Duration limit) {
    NodeProcess current = process();
    Await.until(name() + " to end", limit, () -> !current.alive());
  }

  /** Ends the process as a power cut would: {@code kill -9}, and waits until it is gone. */
  public void kill() {
    NodeProcess current = process;
    if (current == null) {
      return;
    }
    try {
      current.kill9();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Asks the process to stop (SIGTERM) and waits until it is gone.
   *
   * @throws AssertionError when that takes longer than two minutes
   */
  public void stop() {
    try {
      if (!process().stop(STOP)) {
        throw new AssertionError(
            name() + " did not stop within " + STOP.toSeconds() + " s of SIGTERM\n" + tail());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The end of the log, for messages. */
  public String tail() {
    List<String> lines = log().lines().toList();
    return "last lines of "
        + name()
        + ":\n"
        + String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
  }
}
