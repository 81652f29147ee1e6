package io.millrace.cli.node;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Copies a distribution tree to where nodes run from it, only what changed (size or time differs),
 * and removes what is gone.
 *
 * <p>Nodes never run from a build's output: a build overwrites jars in place, and a JVM with such a
 * jar open fails in odd ways. Here every changed file gets a new inode by an atomic rename, so a
 * running node keeps what it opened. Under root the copy also puts the tree where the server's user
 * can read it.
 */
public final class TreeCopy {
  private TreeCopy() {}

  /**
   * @return files copied or removed
   */
  public static int sync(Path from, Path to) throws IOException {
    boolean posix =
        Files.getFileStore(from).supportsFileAttributeView(PosixFileAttributeView.class);
    Set<Path> kept = new HashSet<>();
    int[] changed = {0};
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs)
              throws IOException {
            Path target = to.resolve(from.relativize(dir).toString());
            Files.createDirectories(target);
            if (posix) {
              Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            kept.add(target);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
              throws IOException {
            Path target = to.resolve(from.relativize(file).toString());
            kept.add(target);
            if (same(attrs, target)) {
              return FileVisitResult.CONTINUE;
            }
            Path part = target.resolveSibling(target.getFileName() + ".part");
            Files.copy(
                file,
                part,
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
            if (posix) {
              boolean run = Files.isExecutable(file);
              Files.setPosixFilePermissions(
                  part, PosixFilePermissions.fromString(run ? "rwxr-xr-x" : "rw-r--r--"));
            }
            Files.move(
                part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            changed[0]++;
            return FileVisitResult.CONTINUE;
          }
        });
    Files.walkFileTree(
        to,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
              throws IOException {
            if (!kept.contains(file)) {
              Files.delete(file);
              changed[0]++;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path dir, java.io.@org.jspecify.annotations.Nullable IOException e)
              throws IOException {
            if (!kept.contains(dir)) {
              Files.delete(dir);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return changed[0];
  }

  private static boolean same(BasicFileAttributes attrs, Path target) throws IOException {
    if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    BasicFileAttributes there = Files.readAttributes(target, BasicFileAttributes.class);
    // whole seconds: not every file system keeps more
    return there.size() == attrs.size()
        && there.lastModifiedTime().toMillis() / 1000 == attrs.lastModifiedTime().toMillis() / 1000;
  }
}
