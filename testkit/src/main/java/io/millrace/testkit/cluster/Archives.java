package io.millrace.testkit.cluster;

import io.millrace.testkit.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Archives of classes of the assembled trees, beside them: the first start of a run lists the
 * classes, the archive is made before the second, and all others take half the CPU.
 *
 * <p>A copy of a tree that one test makes has none: an archive fits one folder.
 */
final class Archives {
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
