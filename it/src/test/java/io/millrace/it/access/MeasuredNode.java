package io.millrace.it.access;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.Credentials;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.client.TrustedCertificates;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.CpuSamples;
import io.millrace.it.support.Turns;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A node of one whose CPU is measured, with every compiler and 1 GB of heap. What it needs in its
 * {@code config/} is put there before {@link #start}; the launcher's own {@code --secure} would
 * bring TLS and access control together. Closing it kills the node and removes its files.
 */
public final class MeasuredNode implements AutoCloseable {
  private final Path folder;
  private final int port;
  private @Nullable NodeProcess process;
  private boolean tls;

  /** A node that is not started yet. */
  public MeasuredNode() throws IOException {
    folder = Files.createTempDirectory("millrace-measured-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    port = FreePorts.free(1).get(0);
    Files.createDirectories(config());
  }

  Path config() {
    return folder.resolve("node/config");
  }

  /** Puts certificates for this machine into {@code config/certificates}. */
  MeasuredNode certificates() throws IOException {
    millrace(
        "certificates", "create", "node=127.0.0.1", "--dir", "" + folder.resolve("certificates"));
    Folders.copy(folder.resolve("certificates/node"), config().resolve("certificates"));
    return this;
  }

  /** Gives it an operator; {@code name:password}. */
  String operator() throws IOException {
    Outcome made =
        millrace("operator", "admin", "--file", "" + config().resolve("millrace/operators"));
    return "admin:" + LaunchedNode.told("password", made);
  }

  private static Outcome millrace(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Tree.MILLRACE.home().resolve("bin/millrace").toString());
    command.addAll(List.of(arguments));
    Map<String, String> jdk = Map.of("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    return Commands.run(Path.of(""), jdk, command).ok();
  }

  /**
   * Starts it and waits until it lets this user in.
   *
   * @param tls whether it speaks TLS to clients
   * @param user {@code name:password}, or nothing where nobody is asked
   */
  public MeasuredNode start(Path home, Map<String, String> settings, boolean tls, String user)
      throws IOException {
    this.tls = tls;
    NodeSpec spec =
        NodeSpec.builder(home, folder.resolve("node"))
            .name("node")
            .cluster(folder.getFileName().toString())
            .ports(port, FreePorts.free(1).get(0))
            .discovery(List.of(), List.of())
            .heap("1g")
            .setting("cluster.routing.allocation.disk.threshold_enabled", "false")
            .settings(settings)
            .user(ServerUser.root() ? ServerUser.choose(List.of(), System.getenv()) : null)
            .build();
    NodeProcess started = NodeProcess.start(spec);
    process = started;
    try (ClusterClient client = client(user)) {
      Await.until(
          "an answer of " + home.getFileName(),
          Duration.ofMinutes(5),
          () -> !started.alive() || answers(client));
    }
    if (!started.alive()) {
      throw new AssertionError("ended while starting: " + started.lastErrors(20));
    }
    return this;
  }

  private static boolean answers(ClusterClient client) throws InterruptedException {
    try {
      return client.send(Request.of("GET", "/_cluster/health")).status() == 200;
    } catch (NoAnswerException e) {
      return false;
    }
  }

  /** A client as this user ({@code name:password}), or as nobody. */
  public ClusterClient client(String user) {
    ClientOptions options = ClientOptions.local(port);
    if (tls) {
      options =
          ClientOptions.of(List.of("https://127.0.0.1:" + port))
              .tls(TrustedCertificates.of(folder.resolve("certificates/http-ca.crt")));
    }
    return new ClusterClient(
        user.isEmpty() ? options : options.credentials(Credentials.basic(user)));
  }

  /** Requests of one user, made ready by another, and what this node spends on them. */
  NodeCost cost(String name, String user, String manager) {
    return new NodeCost(name, client(user), client(manager), this::cpuNanos);
  }

  /** What its process has used, in nanoseconds of CPU. */
  public long cpuNanos() {
    return Objects.requireNonNull(process, "not started").cpuNanos();
  }

  /**
   * Prints how many of the samples of this node were taken in access control and in TLS while it
   * does the work of some rounds.
   *
   * @param classes of access control: how their names begin
   */
  void printSamples(String name, String classes, NodeCost cost, int rounds) throws Exception {
    try (cost) {
      Turns.print(
          "%s, documents: %s",
          name, samples(classes, () -> cost.bulk(rounds * NodeCost.DOCUMENTS)));
      Turns.print(
          "%s, searches: %s",
          name, samples(classes, () -> cost.search(rounds * NodeCost.SEARCHES)));
    }
  }

  private CpuSamples samples(String classes, Callable<?> work) throws Exception {
    long pid = Objects.requireNonNull(process, "not started").pid();
    CpuSamples.start(pid);
    work.call();
    return CpuSamples.stop(pid, classes, folder.resolve("node"));
  }

  @Override
  public void close() {
    if (process != null) {
      try {
        process.kill9();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    Folders.remove(folder);
  }
}
