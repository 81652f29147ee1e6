package io.millrace.launcher.workspace;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folders in which root may write, delete and give away: root alone can change them and every
 * folder on the way, so nobody puts a link in root's way, not even between a look and the deed.
 *
 * <p>A shared folder on the way, such as {@code /tmp}, is fine when it is sticky: what root has
 * there nobody else can move. Root's own links are followed ({@code /var} of macOS is one), except
 * in a shared folder: there another user may have hard-linked one under a name that suits him. The
 * owner of {@code /} does not count: in some containers it is nobody that exists.
 *
 * <p>Only folders made here get a mode, {@code rwxr-xr-x} whatever the umask; one that was there
 * keeps its own.
 */
public final class RootFolder {
  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int FOLDER = 0040000;
  private static final int STICKY = 01000;
  private static final int GROUP_WRITES = 020;
  private static final int OTHERS_WRITE = 02;

  /** As many as Linux follows. */
  private static final int LINKS = 40;

  private RootFolder() {}

  /**
   * Makes what is missing of a folder for root's state.
   *
   * @throws ExpectedFailure when somebody else can change it or the way to it; nothing that was
   *     there is touched then
   */
  public static void make(Path dir) throws IOException {
    Way way = walk(dir, true);
    String problem = way.problem();
    if (problem == null && way.shared()) {
      problem = "other users can write into it";
    }
    if (problem != null) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "root keeps no state in " + dir + ": " + problem,
          "Set MILLRACE_STATE to a folder of root's own, such as /var/lib/millrace-up/mine, or run"
              + " millrace as the user whose folder it is.");
    }
  }

  /**
   * Makes what is missing of a folder in which root then makes another; it may be shared.
   *
   * @return false when somebody else can change the way; nothing was made then
   */
  static boolean makeWay(Path dir) throws IOException {
    return walk(dir, true).problem() == null;
  }

  /** Whether it is there and {@link #make} would accept it. */
  static boolean is(Path dir) throws IOException {
    Way way = walk(dir, false);
    return way.problem() == null && way.complete() && !way.shared();
  }

  /**
   * @param problem why root must not work there
   * @param complete whether all of it exists
   * @param shared whether others can write into the last folder
   */
  private record Way(@Nullable String problem, boolean complete, boolean shared) {}

  private record Attributes(int uid, int gid, int mode) {
    static Attributes of(Path path) throws IOException {
      Map<String, Object> read =
          Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
      return new Attributes(number(read, "uid"), number(read, "gid"), number(read, "mode"));
    }

    private static int number(Map<String, Object> read, String name) {
      return read.get(name) instanceof Integer value ? value : -1;
    }

    boolean is(int type) {
      return (mode & TYPE) == type;
    }

    boolean writable() {
      return (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && gid != 0);
    }
  }

  private static Way walk(Path dir, boolean make) throws IOException {
    Deque<Path> names = new ArrayDeque<>();
    Path at = enter(dir.toAbsolutePath(), names, dir.toAbsolutePath());
    int links = 0;
    while (!names.isEmpty()) {
      String name = names.pop().toString();
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (name.equals("..")) {
        at = at.getParent() == null ? at : at.getParent();
        continue;
      }
      Path next = at.resolve(name);
      if (make) {
        makeOne(next);
      }
      Attributes attributes;
      try {
        attributes = Attributes.of(next);
      } catch (NoSuchFileException e) {
        return new Way(null, false, false);
      }
      if (attributes.uid() != 0) {
        return new Way(next + " belongs to uid " + attributes.uid(), false, false);
      }
      if (attributes.is(LINK)) {
        if (Attributes.of(at).writable()) {
          return new Way(next + " is a link in a folder that others write into", false, false);
        }
        if (++links > LINKS) {
          return new Way(next + " leads from link to link", false, false);
        }
        at = enter(Files.readSymbolicLink(next), names, at);
        continue;
      }
      if (!attributes.is(FOLDER)) {
        return new Way(next + " is not a folder", false, false);
      }
      if (attributes.writable() && (attributes.mode() & STICKY) == 0) {
        return new Way("other users can write into " + next, false, false);
      }
      at = next;
    }
    return new Way(null, true, Attributes.of(at).writable());
  }

  /** Puts a path's names before those to come; returns where they start. */
  private static Path enter(Path path, Deque<Path> names, Path at) {
    List<Path> parts = new ArrayList<>();
    path.forEach(parts::add);
    parts.reversed().forEach(names::push);
    Path root = path.getRoot();
    return root == null ? at : root;
  }

  private static void makeOne(Path dir) throws IOException {
    if (!Files.exists(dir, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createDirectory(dir);
      } catch (FileAlreadyExistsException e) {
        return; // somebody was faster; whether that is right is seen next
      }
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
