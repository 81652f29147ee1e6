package io.millrace.testkit.cluster;

import io.millrace.testkit.Await;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One real node: the tree's own {@code bin/opensearch} in a process of its own, as a systemd unit
 * would start it.
 *
 * <p>It can be killed and started again on the same data and ports. All its files live in one
 * folder that the {@link Cluster} removes.
 */
public final class ClusterNode {
  private static final Duration START = Duration.ofSeconds(120);

  private final String name;
  private final Path home;
  private final Path folder;
  private final String heap;
  private final int httpPort;
  private final int transportPort;
  private final Map<String, String> settings;
  private final JsonHttp http;
  private @Nullable Process process;

  ClusterNode(
      String name,
      Path home,
      Path folder,
      String heap,
      int httpPort,
      int transportPort,
      Map<String, String> settings) {
    this.name = name;
    this.home = home;
    this.folder = folder;
    this.heap = heap;
    this.httpPort = httpPort;
    this.transportPort = transportPort;
    this.settings = settings;
    this.http = new JsonHttp(URI.create("http://127.0.0.1:" + httpPort));
  }

  /** The node's name, {@code node-0} and up. */
  public String name() {
    return name;
  }

  /** The port of its REST interface on 127.0.0.1. */
  public int port() {
    return httpPort;
  }

  /** The port it speaks with other nodes on. */
  public int transportPort() {
    return transportPort;
  }

  /** Its folder: config, data, logs, tmp and repository. */
  public Path folder() {
    return folder;
  }

  /** A client of this node. */
  public JsonHttp http() {
    return http;
  }

  /** The process id of the running JVM. */
  public long pid() {
    return running().pid();
  }

  /** Whether the process lives. */
  public boolean alive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  /** What the node wrote to its console since the first start. */
  public String log() {
    try {
      Path file = consoleFile();
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the configuration, once. */
  void prepare() throws IOException {
    Files.createDirectories(folder);
    Folders.copy(home.resolve("config"), folder.resolve("config"));
    for (String part : List.of("data", "logs", "tmp", "repository")) {
      Files.createDirectory(folder.resolve(part));
    }
    Map<String, String> all = new TreeMap<>();
    all.put("node.name", name);
    all.put("path.data", folder.resolve("data").toString());
    all.put("path.logs", folder.resolve("logs").toString());
    all.put("path.repo", folder.resolve("repository").toString());
    all.put("network.host", "127.0.0.1");
    all.put("http.port", Integer.toString(httpPort));
    all.put("transport.port", Integer.toString(transportPort));
    all.putAll(settings);
    StringBuilder yaml = new StringBuilder();
    all.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
    Files.writeString(folder.resolve("config/opensearch.yml"), yaml);
    // replaces the tree's own paths and heap, and nothing else of its flags
    Files.writeString(
        folder.resolve("config/jvm.options.d/paths.options"),
        String.join(
            "\n",
            "-Xms" + heap,
            "-Xmx" + heap,
            "-XX:ErrorFile=" + folder.resolve("logs/hs_err.log"),
            "-XX:HeapDumpPath=" + folder.resolve("logs"),
            ""));
    Unprivileged.give(folder);
  }

  /**
   * Starts the process and returns without waiting for the node.
   *
   * @throws IllegalStateException when it runs already
   */
  public void start() throws IOException {
    if (alive()) {
      throw new IllegalStateException(name + " runs already, pid " + pid());
    }
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/opensearch").toString()));
    ProcessBuilder builder = new ProcessBuilder(Unprivileged.command(command));
    builder.directory(folder.toFile());
    builder.environment().put("OPENSEARCH_PATH_CONF", folder.resolve("config").toString());
    builder.environment().put("OPENSEARCH_TMPDIR", folder.resolve("tmp").toString());
    builder.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HOME", folder.toString());
    builder.environment().remove("OPENSEARCH_JAVA_OPTS");
    builder.redirectErrorStream(true);
    builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectOutput(Redirect.appendTo(consoleFile().toFile()));
    process = builder.start();
  }

  /**
   * Waits until the node answers on its REST port.
   *
   * @throws AssertionError when the process ends or two minutes pass, with the end of its log
   */
  public void awaitAnswer() {
    Process current = running();
    try {
      Await.until(
          name + " to answer on " + http.base(),
          START,
          () -> !current.isAlive() || http.get("/").status() == 200);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + tail(), e);
    }
    if (!current.isAlive()) {
      throw new AssertionError(
          name + " ended with exit code " + current.exitValue() + " while starting\n" + tail());
    }
  }

  /** Waits at most {@code limit} for the process to end by itself and returns its exit code. */
  public int awaitExit(Duration limit) {
    Process current = running();
    Await.until(name + " to end", limit, () -> !current.isAlive());
    return current.exitValue();
  }

  /** Ends the process as a power cut would: {@code kill -9}, and waits until it is gone. */
  public void kill() {
    end(true);
  }

  /** Asks the process to stop (SIGTERM) and waits until it is gone. */
  public void stop() {
    end(false);
  }

  private void end(boolean atOnce) {
    Process current = process;
    if (current == null) {
      return;
    }
    // setpriv and the script become the JVM by exec: one process, the child of this one
    if (atOnce) {
      current.destroyForcibly();
    } else {
      current.destroy();
    }
    try {
      if (!current.waitFor(60, TimeUnit.SECONDS)) {
        current.destroyForcibly().waitFor();
        throw new AssertionError(name + " did not stop within 60 s of SIGTERM\n" + tail());
      }
    } catch (InterruptedException e) {
      current.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Adds a line to the console log, so that a reader sees what the test did when. */
  void note(String line) throws IOException {
    Files.writeString(
        consoleFile(),
        "--- " + line + "\n",
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  String tail() {
    List<String> lines = log().lines().toList();
    return "last lines of "
        + name
        + ":\n"
        + String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
  }

  private Path consoleFile() {
    return folder.resolve("logs/console.log");
  }

  private Process running() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return current;
  }
}
