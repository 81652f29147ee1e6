package io.millrace.bench.run;

import io.millrace.bench.scenario.Contender;
import io.millrace.bench.scenario.Side;
import io.millrace.bench.term.BenchFailure;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.launcher.machine.PortHolder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts nodes from the assembled trees through their own {@code bin/opensearch} and the JVM flags
 * of their own configuration, with one heap for both; {@code opensearch.yml} is written here, so
 * that no side has a setting that its scenario does not name, but for the tree's HTTP server; a
 * side {@linkplain Side#asShipped as shipped} has the tree's other lines as well.
 *
 * <p>The script ends in {@code exec}, so the process that is started here is the JVM, and its CPU
 * time is the server's. A JVM does not run as root (Bootstrap refuses it): when the bench does, the
 * node runs in a user namespace of its own, where the same files belong to an ordinary user.
 */
public final class TreeNodes implements Nodes {
  private static final String SAFEPOINTS = "logs/safepoints.log";
  private static final Duration START = Duration.ofMinutes(3);

  private final Map<Contender, Path> trees;
  private final String heap;
  private final int port;

  /**
   * Nodes of these trees.
   *
   * @param port the HTTP port; the next one is the transport port
   */
  public TreeNodes(Path stock, Path millrace, String heap, int port) {
    this.trees = Map.of(Contender.STOCK, stock, Contender.MILLRACE, millrace);
    this.heap = heap;
    this.port = port;
  }

  @Override
  public BenchNode start(Side side, Path home) {
    Contender contender = side.contender();
    Path root = trees.get(contender);
    if (root == null || !Files.isExecutable(root.resolve("bin/opensearch"))) {
      throw new BenchFailure(
          "no "
              + contender.title()
              + " tree at "
              + root
              + "; build both with 'mvn -pl distribution -am package -DskipTests', or name them with"
              + " --stock-tree and --millrace-tree");
    }
    checkFree(port);
    checkFree(port + 1);
    try {
      Path config = configure(root, home, side);
      return start(root, home, config);
    } catch (IOException e) {
      throw new BenchFailure("the node's home " + home + " cannot be written: " + e, e);
    }
  }

  private static void checkFree(int port) {
    if (!PortHolder.free(port)) {
      String holder = new PortHolder().of(port).orElse("a process unknown");
      throw new BenchFailure(
          "port " + port + " is taken by " + holder + "; choose another with --port");
    }
  }

  private Path configure(Path root, Path home, Side side) throws IOException {
    Path config = Files.createDirectories(home.resolve("config"));
    Path temporary = Files.createDirectories(home.resolve("tmp"));
    Files.createDirectories(home.resolve("data"));
    Files.createDirectories(home.resolve("logs"));
    Path source = root.resolve("config");
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = file.getFileName().toString();
        if (!name.equals("opensearch.yml")) {
          Files.copy(file, config.resolve(name));
        }
      }
    }
    Path flags = Files.createDirectories(config.resolve("jvm.options.d"));
    if (!side.jvmProfile().isEmpty()) {
      Path from = side.jvmProfile().equals("stock") ? source : profile(source, side.jvmProfile());
      Files.copy(from.resolve("jvm.options.d/gc.options"), flags.resolve("gc.options"));
    }
    Files.writeString(
        flags.resolve("zz-bench.options"),
        String.join(
            "\n",
            "-Xms" + heap,
            "-Xmx" + heap,
            "-Djava.io.tmpdir=" + temporary,
            "-Xlog:safepoint:file=" + home.resolve(SAFEPOINTS) + ":timemillis:filecount=0",
            ""));
    Map<String, String> all = new LinkedHashMap<>();
    all.put("cluster.name", "millrace-bench");
    all.put("node.name", "bench");
    all.put("network.host", "127.0.0.1");
    all.put("http.port", Integer.toString(port));
    all.put("transport.port", Integer.toString(port + 1));
    all.put("discovery.type", "single-node");
    all.put("path.data", home.resolve("data").toString());
    all.put("path.logs", home.resolve("logs").toString());
    all.put("cluster.routing.allocation.disk.threshold_enabled", "false");
    if (!side.way().shipped()) {
      all.putAll(httpServer(source));
    }
    all.putAll(side.nodeSettings());
    StringBuilder yaml = new StringBuilder();
    all.forEach((name, value) -> yaml.append(name).append(": \"").append(value).append("\"\n"));
    if (side.way().shipped()) {
      shipped(source, all).forEach(line -> yaml.append(line).append('\n'));
    }
    Files.writeString(config.resolve("opensearch.yml"), yaml);
    return config;
  }

  /** The lines of the tree's own configuration, without those that a run sets. */
  private static List<String> shipped(Path config, Map<String, String> set) throws IOException {
    return Files.readAllLines(config.resolve("opensearch.yml")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .filter(line -> !set.containsKey(line.replaceFirst(":.*", "")))
        .toList();
  }

  /** The tree's own choice of its HTTP server: part of what is measured. */
  private static Map<String, String> httpServer(Path config) throws IOException {
    String key = "http.type: ";
    try (Stream<String> lines = Files.lines(config.resolve("opensearch.yml"))) {
      return lines
          .filter(line -> line.startsWith(key))
          .collect(Collectors.toMap(line -> "http.type", line -> line.substring(key.length())));
    }
  }

  private static Path profile(Path config, String name) {
    Path profile = config.resolve("jvm-profiles").resolve(name);
    if (!Files.isDirectory(profile)) {
      throw new BenchFailure("this tree has no JVM profile '" + name + "'");
    }
    return profile;
  }

  private BenchNode start(Path root, Path home, Path config) throws IOException {
    List<String> command = new ArrayList<>();
    if (root()) {
      command.addAll(List.of("unshare", "--user", "--map-user=1000", "--map-group=1000"));
    }
    command.add(root.resolve("bin/opensearch").toString());
    Path output = home.resolve("logs/output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .directory(home.toFile());
    builder.environment().put("OPENSEARCH_PATH_CONF", config.toString());
    builder.environment().put("OPENSEARCH_TMPDIR", home.resolve("tmp").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HOSTNAME", "bench");
    builder.environment().remove("OPENSEARCH_JAVA_OPTS");
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "bench-node-end"));
    Running node = new Running(process, URI.create("http://127.0.0.1:" + port), root, home);
    try {
      node.awaitAnswer(output);
      return node;
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** A node that was started here. */
  private static final class Running implements BenchNode {
    private final Process process;
    private final URI uri;
    private final Path tree;
    private final Path home;

    Running(Process process, URI uri, Path tree, Path home) {
      this.process = process;
      this.uri = uri;
      this.tree = tree;
      this.home = home;
    }

    void awaitAnswer(Path output) throws IOException {
      long deadline = System.nanoTime() + START.toNanos();
      try (ClusterClient client =
          new ClusterClient(
              ClientOptions.of(uri).timeouts(Duration.ofSeconds(2), Duration.ofSeconds(10)))) {
        while (System.nanoTime() < deadline) {
          if (!process.isAlive()) {
            throw new BenchFailure("the node ended while starting: " + end(output));
          }
          if (client.find("/_cluster/health?wait_for_status=yellow&timeout=5s").isPresent()) {
            return;
          }
          TimeUnit.MILLISECONDS.sleep(200);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchFailure("interrupted", e);
      }
      throw new BenchFailure("the node did not answer within 180 s: " + end(output));
    }

    /** The last lines the process printed. */
    private static String end(Path output) throws IOException {
      List<String> lines =
          new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public URI uri() {
      return uri;
    }

    @Override
    public Path tree() {
      return tree;
    }

    @Override
    public Path data() {
      return home.resolve("data");
    }

    @Override
    public Path safepoints() {
      return home.resolve(SAFEPOINTS);
    }

    /** The JVM's own arguments, without the folders of this run. */
    @Override
    public List<String> command() {
      try {
        String line =
            Files.readString(
                Path.of("/proc", Long.toString(pid()), "cmdline"), StandardCharsets.UTF_8);
        String home = this.home.toString();
        return Stream.of(line.split("\0"))
            .map(word -> word.replace(home, "<home>"))
            .map(word -> word.startsWith("/") ? word.replaceAll(".*/", "") : word)
            .toList();
      } catch (IOException e) {
        return List.of();
      }
    }

    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
