package io.millrace.testkit.cluster;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs commands as somebody else than root.
 *
 * <p>OpenSearch refuses to run as root (Bootstrap.java at 3.8.0, {@code initializeNatives}), and
 * test machines often are root. Then every node belongs to the user {@value #UID}, that is {@code
 * nobody}; without root, everything stays with the user who runs the tests.
 */
public final class Unprivileged {
  /** The user and group id that nodes get when the tests run as root. */
  public static final int UID = 65534;

  private Unprivileged() {}

  /** Whether this process is root. */
  public static boolean needed() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }

  /** The command as it has to be started, from any user, to run without root's rights. */
  public static List<String> command(List<String> command) {
    if (!needed()) {
      return command;
    }
    List<String> dropped =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + UID, "--regid=" + UID, "--clear-groups", "--"));
    dropped.addAll(command);
    return dropped;
  }

  /** Gives a folder with all it holds to the user that {@link #command} runs as. */
  public static void give(Path folder) throws IOException {
    if (!needed()) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            own(path);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            own(path);
            return FileVisitResult.CONTINUE;
          }

          private void own(Path path) throws IOException {
            Files.setAttribute(path, "unix:uid", UID, java.nio.file.LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", UID, java.nio.file.LinkOption.NOFOLLOW_LINKS);
          }
        });
  }
}
