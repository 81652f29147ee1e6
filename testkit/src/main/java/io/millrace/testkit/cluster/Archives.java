package io.millrace.testkit.cluster;

import io.millrace.launcher.workspace.ServerUser;
import io.millrace.testkit.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Archives of classes of the assembled trees, beside them: the first start of a run lists the
 * classes, the archive is made before the second, and all others take half the CPU.
 *
 * <p>A copy of a tree that one test makes has none: an archive fits one folder.
 */
public final class Archives {
  /** Environment of {@code bin/opensearch}: the folder of archives. */
  static final String VARIABLE = "OPENSEARCH_ARCHIVES";

  private static final long MAKING_SECONDS = 240;

  /** Left in the folder where no archive could be made in time, so that nobody waits again. */
  private static final String GIVEN_UP = "given-up";

  private Archives() {}

  /** Whether this tree will be there for the next test. */
  static boolean keptFor(Path home) {
    return home.startsWith(Tree.checkout().resolve("distribution/target"));
  }

  /** {@link #lend(Path, Path, ServerUser)} for the user that {@code up} takes by itself. */
  public static void lend(Path home, Path state) throws IOException {
    lend(home, state, ServerUser.root() ? ServerUser.choose(List.of(), System.getenv()) : null);
  }

  /**
   * Copies what archives there are of a tree to where {@code up} looks for them, so that its nodes
   * neither list their classes nor make an archive of their own, which takes longer than a test
   * lasts. Where there are none, or none that fits, the nodes start as on a new machine.
   *
   * @param home the assembled tree
   * @param state the state folder that {@code up} is about to use; made if it is not there
   * @param server the user of its nodes, or null where that is whoever runs the test
   */
  public static void lend(Path home, Path state, @Nullable ServerUser server) throws IOException {
    if (!keptFor(home)) {
      return;
    }
    Path run = state.resolve("run");
    Path folder = run.resolve("archives");
    Files.createDirectories(folder);
    if (server != null) {
      server.give(run);
      server.give(folder);
    }
    try (Stream<Path> files = Files.list(ready(home))) {
      for (Path archive : files.filter(file -> file.toString().endsWith(".jsa")).toList()) {
        Files.copy(archive, folder.resolve(archive.getFileName()));
      }
    }
  }

  /** The folder, with an archive for every start that left a list. */
  static synchronized Path ready(Path home) throws IOException {
    Path folder = home.resolveSibling("archives");
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      // the nodes' user may be another one
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    Path givenUp = folder.resolve(GIVEN_UP);
    if (Files.exists(givenUp)) {
      return folder;
    }
    try (Stream<Path> files = Files.list(folder)) {
      if (files.noneMatch(file -> file.toString().endsWith(".start"))) {
        return folder;
      }
    }
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("bin/opensearch-archive").toString(), "make").inheritIO();
    builder.environment().put(VARIABLE, folder.toString());
    Process making = builder.start();
    try {
      if (!making.waitFor(MAKING_SECONDS, TimeUnit.SECONDS)) {
        making.descendants().forEach(ProcessHandle::destroyForcibly); // the nodes start without
        making.destroyForcibly();
        Files.createFile(givenUp);
      }
    } catch (InterruptedException e) {
      making.destroy();
      Thread.currentThread().interrupt();
    }
    return folder;
  }
}
