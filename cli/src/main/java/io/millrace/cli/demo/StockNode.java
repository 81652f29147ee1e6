package io.millrace.cli.demo;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stock node beside the one that runs, for {@code --compare}: the same tree without plugins and
 * without the distribution's settings, with the same heap, on free ports, in a temporary folder
 * that goes with it.
 */
final class StockNode implements AutoCloseable {
  private static final Set<String> OURS = Set.of("plugins", "lib/tools/cli", "data", "logs");
  private static final Duration START = Duration.ofMinutes(3);

  private final Path folder;
  private final NodeProcess process;

  private StockNode(Path folder, NodeProcess process) {
    this.folder = folder;
    this.process = process;
  }

  /**
   * Starts it and waits until it is green.
   *
   * @throws ExpectedFailure when it does not come up, with the cause from its log
   */
  static StockNode start() throws IOException, InterruptedException {
    Workspace place = Workspace.locate();
    Path folder = Files.createTempDirectory("millrace-stock-");
    // the server's user may be another one
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    @Nullable NodeProcess process = null;
    try {
      copy(place.tree(), folder.resolve("tree"));
      @Nullable ServerUser user =
          ServerUser.root() ? ServerUser.choose(List.of(), System.getenv()) : null;
      process =
          NodeProcess.start(
              NodeSpec.builder(folder.resolve("tree"), folder.resolve("node"))
                  .name("stock")
                  .cluster("stock-beside-millrace")
                  .ports(freePort(), freePort())
                  .heap(heap(place))
                  .javaHome(Path.of(System.getProperty("java.home")))
                  .user(user)
                  .build());
      process.awaitGreen(1, START, NodeProcess.Progress.NONE);
      return new StockNode(folder, process);
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (process != null) {
        process.kill9();
      }
      remove(folder);
      throw e;
    }
  }

  /** That of the node that runs. */
  private static String heap(Workspace place) {
    return ClusterState.read(place.stateFile())
        .map(state -> state.nodes().getFirst().heap())
        .orElseThrow(() ->
            new ExpectedFailure(
                ExitCode.NOT_RUNNING,
                "--compare needs the node that millrace up started here",
                "Start it: millrace up --demo --compare"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String url() {
    return "http://127.0.0.1:" + process.httpPort();
  }

  @Override
  public void close() throws IOException {
    try {
      process.stop(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    remove(folder);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            String name = from.relativize(dir).toString();
            Path copy = Files.createDirectories(to.resolve(name));
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
            return OURS.contains(name) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path name = from.relativize(file);
            if (!name.toString().equals("config/opensearch.yml")
                && !name.toString().endsWith(".keystore")) {
              Path copy = Files.copy(file, to.resolve(name));
              Files.setPosixFilePermissions(
                  copy,
                  PosixFilePermissions.fromString(
                      Files.isExecutable(file) ? "rwxr-xr-x" : "rw-r--r--"));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void remove(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
              throws IOException {
            Files.delete(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
