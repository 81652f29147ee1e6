package io.millrace.launcher.cluster;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.node.NodeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Remembers, next to the nodes' data, that a cluster was started for the first time and nobody has
 * seen it formed: the file names the initial managers, one per line, until they have joined.
 *
 * <p>The data alone cannot tell. OpenSearch writes {@code nodes/0/_state} before any election
 * (Node#start: the gateway starts before discovery), so a node that ended in between looks like one
 * of a cluster and, given seed hosts but no initial managers, waits for ever
 * (ClusterBootstrapService: no requirements, and no timeout once discovery is configured). A
 * cluster that did form ignores the names (Coordinator#isInitialConfigurationSet); a node they do
 * not name never bootstraps, so exactly the first start's are given again: two empty nodes added
 * later must not form a cluster of their own.
 */
final class FormationMarker {
  static final String FILE = "millrace-forming";

  private final Path parent;
  private final Path file;

  /**
   * @param parent of the nodes' data folders
   */
  FormationMarker(Path parent) {
    this.parent = parent;
    this.file = parent.resolve(FILE);
  }

  static FormationMarker of(NodeSpec spec) {
    return new FormationMarker(parent(spec.name(), spec.data()));
  }

  static FormationMarker of(ClusterState.Node node) {
    return new FormationMarker(parent(node.name(), Path.of(node.data())));
  }

  /** {@code DIR/NAME} of a folder the user named, {@code nodes/NAME/data} of our own. */
  private static Path parent(String name, Path data) {
    Path up = data.toAbsolutePath().getParent();
    Path parent = isOwn(name, data) && up != null ? up.getParent() : up;
    return parent == null ? data : parent;
  }

  /** Whether a node's data lies in its own folder: no {@code --data} was given. */
  static boolean isOwn(String name, Path data) {
    return data.endsWith(Path.of(name, "data"));
  }

  /** The initial managers of a cluster that has not formed; empty when it has, or never began. */
  List<String> managers() throws IOException {
    return Files.exists(file)
        ? Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList()
        : List.of();
  }

  /**
   * To be called before the first node of a cluster starts.
   *
   * @throws ExpectedFailure when the folder cannot be written
   */
  void begin(List<String> managers) {
    try {
      Files.createDirectories(parent);
      Files.write(file, managers);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "the folder of the nodes' data cannot be written: " + e.getMessage(),
          "It is " + parent + "; it must be writable and have space.",
          e);
    }
  }

  /** The cluster has formed. */
  void end() throws IOException {
    Files.deleteIfExists(file);
  }
}
