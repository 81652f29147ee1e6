package io.millrace.launcher.workspace;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies a distribution tree to where nodes run from it, only what changed (size or time differs),
 * and removes what is gone.
 *
 * <p>Nodes never run from a build's output: a build overwrites jars in place, and a JVM with such a
 * jar open fails in odd ways. Here every changed file gets a new inode by an atomic rename, so a
 * running node keeps what it opened. Under root the copy also puts the tree where the server's user
 * can read it.
 *
 * <p>It removes files only in a folder that carries its mark, {@value #MARK}. The copy is closed to
 * everybody but its owner and, under root, the server's group: its source may be closed, too, and
 * its configuration may hold what is nobody else's business. A keystore stays where it is, and so
 * do the documents and logs of a node that was started right in the tree.
 */
public final class TreeCopy {
  /** In every copy. */
  static final String MARK = ".millrace-copy";

  private static final String SAYS =
      "A copy that millrace makes. Every millrace up replaces what is different here.\n";

  private static final Set<String> OF_A_NODE = Set.of("data", "logs");

  private final Path from;
  private final Path to;
  private final @Nullable Integer gid;
  private final Set<String> plugins;
  private final boolean posix;
  private final Set<Path> kept = new HashSet<>();
  private final List<Path> left = new ArrayList<>();
  private int changed;

  private TreeCopy(Path from, Path to, @Nullable Integer gid, Set<String> plugins)
      throws IOException {
    this.from = from;
    this.to = to;
    this.gid = gid;
    this.plugins = plugins;
    this.posix = Files.getFileStore(to).supportsFileAttributeView(PosixFileAttributeView.class);
  }

  /**
   * @param changed files copied or removed
   * @param left keystores of the tree, not copied: each node has its own
   */
  public record Outcome(int changed, List<Path> left) {}

  /** A copy for the user who calls. */
  public static Outcome sync(Path from, Path to) throws IOException {
    return sync(from, to, Set.of());
  }

  /**
   * A copy for the user who calls.
   *
   * @param plugins which of the {@link OptionalPlugins} the copy loads
   */
  public static Outcome sync(Path from, Path to, Set<String> plugins) throws IOException {
    return claimed(from, to, null, plugins);
  }

  /**
   * Root's copy for another user.
   *
   * @param to root's own ({@link RootFolder})
   * @param gid group of who may read it
   * @param plugins which of the {@link OptionalPlugins} the copy loads
   */
  public static Outcome sync(Path from, Path to, int gid, Set<String> plugins) throws IOException {
    return claimed(from, to, gid, plugins);
  }

  /**
   * Marks the folder before anything is copied, so that an interrupted copy is known, too. Of two
   * callers the second waits for the first.
   *
   * @throws ExpectedFailure when it holds files that are not of a copy
   */
  private static Outcome claimed(Path from, Path to, @Nullable Integer gid, Set<String> plugins)
      throws IOException {
    Path mark = to.resolve(MARK);
    if (!Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS)
        && Files.exists(to, LinkOption.NOFOLLOW_LINKS)
        && !isEmpty(to)
        && !isEarlierCopy(to)) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          to + " holds files that millrace did not put there; its copy would replace them",
          "Set MILLRACE_STATE to another folder; or remove " + to + " if nobody needs it.");
    }
    Files.createDirectories(to);
    try (FileChannel channel =
            FileChannel.open(
                mark,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.lock()) {
      channel.write(ByteBuffer.wrap(SAYS.getBytes(StandardCharsets.UTF_8)));
      return new TreeCopy(from, to.toRealPath(), gid, plugins).run();
    }
  }

  private static boolean isEmpty(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.allMatch(file -> name(file).equals(MARK)); // somebody else is just making it
    }
  }

  /** Of a version without the mark: our tree, beside the state of an {@code up}. */
  private static boolean isEarlierCopy(Path to) {
    return Files.isDirectory(to.resolveSibling("run"))
        && Files.isRegularFile(to.resolve("bin/millrace"))
        && Files.isDirectory(to.resolve("lib/tools/cli"));
  }

  private Outcome run() throws IOException {
    close();
    kept.add(to.resolve(MARK));
    copy(from, to);
    for (String plugin : plugins) {
      copy(
          from.resolve(OptionalPlugins.FOLDER).resolve(plugin),
          to.resolve("plugins").resolve(plugin));
    }
    prune(to);
    return new Outcome(changed, List.copyOf(left));
  }

  private void copy(Path source, Path target) throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs)
              throws IOException {
            if (from.equals(dir.getParent()) && OF_A_NODE.contains(name(dir))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            folder(target.resolve(source.relativize(dir).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
              throws IOException {
            if (name(file).endsWith(".keystore")) {
              left.add(file);
            } else if (!name(file).equals(MARK)) {
              file(file, attrs, target.resolve(source.relativize(file).toString()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Nobody passes but the owner and the given group, whatever the files inside say. */
  private void close() throws IOException {
    if (!posix) {
      return;
    }
    if (gid == null) {
      Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
    } else {
      Files.setAttribute(to, "unix:gid", gid);
      Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-x---"));
    }
  }

  private void folder(Path target) throws IOException {
    kept.add(target);
    if (target.equals(to)) {
      return;
    }
    if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(target); // a link is not followed out of the copy
      Files.createDirectory(target);
    }
    if (posix) {
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private void file(Path file, BasicFileAttributes attrs, Path target) throws IOException {
    kept.add(target);
    if (same(attrs, target)) {
      return;
    }
    if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      kept.remove(target);
      prune(target);
      kept.add(target);
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    // without the owner: root's copy of another user's file is root's
    Files.copy(file, part, StandardCopyOption.REPLACE_EXISTING);
    if (posix) {
      boolean run = Files.isExecutable(file);
      Files.setPosixFilePermissions(
          part, PosixFilePermissions.fromString(run ? "rwxr-xr-x" : "rw-r--r--"));
    }
    Files.setLastModifiedTime(part, attrs.lastModifiedTime());
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    changed++;
  }

  /** Removes what is not kept. */
  private void prune(Path dir) throws IOException {
    Files.walkFileTree(
        dir,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
              throws IOException {
            if (!kept.contains(file)) {
              Files.delete(file);
              changed++;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            if (!kept.contains(visited)) {
              Files.delete(visited);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private boolean same(BasicFileAttributes attrs, Path target) throws IOException {
    if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
        || (gid != null && ServerUser.owner(target) != 0)) {
      return false;
    }
    BasicFileAttributes there = Files.readAttributes(target, BasicFileAttributes.class);
    // whole seconds: not every file system keeps more
    return there.size() == attrs.size()
        && there.lastModifiedTime().toMillis() / 1000 == attrs.lastModifiedTime().toMillis() / 1000;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
