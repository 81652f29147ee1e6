package io.millrace.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Which process has the far end of a loopback connection, as {@code /proc} tells it: the processes
 * have to be of this user, or this user root.
 */
final class SocketOwners {
  private static final int INODE_COLUMN = 9;

  private SocketOwners() {}

  /**
   * The process that connected.
   *
   * @param from the port that it connected from
   * @param to the port that it connected to
   * @param pids the processes that it may be; 0 for none
   * @return its place among {@code pids}; empty when it is none of them or has closed
   */
  static OptionalInt owner(int from, int to, List<Long> pids) throws IOException {
    String inode = inode(from, to);
    if (inode.isEmpty()) {
      return OptionalInt.empty();
    }
    String link = "socket:[" + inode + "]";
    for (int i = 0; i < pids.size(); i++) {
      if (pids.get(i) != 0 && has(pids.get(i), link)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private static String inode(int from, int to) throws IOException {
    String local = String.format(Locale.ROOT, ":%04X", from);
    String remote = String.format(Locale.ROOT, ":%04X", to);
    for (String table : List.of("/proc/net/tcp6", "/proc/net/tcp")) {
      Path file = Path.of(table);
      if (!Files.exists(file)) {
        continue;
      }
      for (String line : Files.readAllLines(file)) {
        String[] columns = line.strip().split("\\s+");
        if (columns.length > INODE_COLUMN
            && columns[1].endsWith(local)
            && columns[2].endsWith(remote)) {
          return columns[INODE_COLUMN];
        }
      }
    }
    return "";
  }

  private static boolean has(long pid, String link) throws IOException {
    Path folder = Path.of("/proc/" + pid + "/fd");
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> target(file).equals(link));
    } catch (UncheckedIOException e) {
      return false; // it ended meanwhile
    }
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
