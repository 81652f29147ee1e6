package io.millrace.launcher.certificates;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files that hold secrets: theirs is the mode 0600 from the first byte on, and they are replaced by
 * a rename, so that nobody reads half of one.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /** Makes a folder, mode 0700, unless it is there. */
  public static void makeFolder(Path dir) throws IOException {
    if (!Files.isDirectory(dir)) {
      Path parent = dir.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.createDirectory(dir, attribute(dir, FOLDER));
    }
  }

  /** Writes text with mode 0600, in place of what was there. */
  public static void write(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.deleteIfExists(part);
    Files.createFile(part, attribute(part, OWNER));
    Files.writeString(part, text, StandardCharsets.UTF_8);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Copies a file, mode 0600, in place of what was there. */
  static void copy(Path from, Path to) throws IOException {
    write(to, Files.readString(from, StandardCharsets.UTF_8));
  }

  /** Whether anybody but the owner may read it; never where the file system has no modes. */
  static boolean open(Path file) throws IOException {
    if (!posix(file)) {
      return false;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
    return mode.contains(PosixFilePermission.GROUP_READ)
        || mode.contains(PosixFilePermission.OTHERS_READ);
  }

  private static FileAttribute<?>[] attribute(Path path, Set<PosixFilePermission> mode)
      throws IOException {
    return posix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  private static boolean posix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
