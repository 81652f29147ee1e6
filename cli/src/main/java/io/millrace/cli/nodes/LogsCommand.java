package io.millrace.cli.nodes;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.workspace.Workspace;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace logs}: the last lines of a node's log, also of one that is down. */
@Command(name = "logs", description = "Show the end of a node's log.")
public final class LogsCommand extends NodeCommand {
  @Option(
      names = {"-f", "--follow"},
      description = "keep printing new lines until Ctrl-C")
  private boolean follow;

  @Option(
      names = {"-n", "--lines"},
      description = "how many lines (default ${DEFAULT-VALUE})")
  private int lines = 50;

  @Option(names = "--node", paramLabel = "NAME", description = "which node (default: the first)")
  private @Nullable String node;

  @Override
  public Integer call() throws Exception {
    Path log = log(Workspace.locate());
    if (!Files.isReadable(log)) {
      throw new ExpectedFailure(ExitCode.NOT_RUNNING, "there is no log yet: " + log, null);
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - 400L * Math.max(1, lines));
      List<String> tail = new ArrayList<>(text(file, from).lines().toList());
      tail.subList(0, Math.max(0, tail.size() - lines)).clear();
      tail.forEach(out()::println);
      out().flush();
    }
    if (follow) {
      follow(log);
    }
    return ExitCode.OK;
  }

  private Path log(Workspace place) throws Exception {
    List<ClusterState.Node> known =
        ClusterState.read(place.stateFile()).map(ClusterState::nodes).orElse(List.of());
    for (ClusterState.Node n : known) {
      if (node == null || n.name().equals(node)) {
        return Path.of(n.log());
      }
    }
    String name = node == null ? "node-1" : node;
    Path dir = place.nodes().resolve(name).normalize();
    if (!dir.startsWith(place.nodes()) || !Files.isDirectory(dir)) {
      String[] there = place.nodes().toFile().list();
      throw new ExpectedFailure(
          node == null ? ExitCode.NOT_RUNNING : ExitCode.USAGE,
          "there is no node " + name,
          there == null || there.length == 0
              ? "Start one: millrace up"
              : "There are: " + String.join(", ", Arrays.stream(there).sorted().toList()));
    }
    return dir.resolve("logs/millrace.log");
  }

  private void follow(Path log) throws Exception {
    long at = Files.size(log);
    while (true) {
      Thread.sleep(300);
      long size = Files.exists(log) ? Files.size(log) : 0;
      if (size < at) {
        at = 0; // rolled
      }
      if (size > at) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
          String more = text(file, at);
          out().print(more);
          out().flush();
          at = file.getFilePointer();
        }
      }
    }
  }

  private static String text(RandomAccessFile file, long from) throws Exception {
    int size = (int) Math.min(file.length() - from, 64L << 20);
    byte[] bytes = new byte[size];
    file.seek(from);
    file.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
