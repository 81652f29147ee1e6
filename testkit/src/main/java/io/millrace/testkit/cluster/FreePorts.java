package io.millrace.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports on loopback, below the range from which the operating system serves outgoing
 * connections.
 *
 * <p>A killed node must find its port free when it starts again: a port of the ephemeral range
 * (32768 and up on Linux) may meanwhile serve as the near end of any connection. For the same
 * reason a port that was given stays with the process that asked, until that process ends: it locks
 * the port's byte in a file that all test processes of a user share.
 *
 * <p>The system property {@code millrace.test.ports} ({@code from-to}, both included) gives another
 * range.
 */
public final class FreePorts {
  private static final String RANGE = System.getProperty("millrace.test.ports", "19700-21699");

  /** Its locks are given back when the process ends. */
  private static final FileChannel GIVEN = given();

  private FreePorts() {}

  /**
   * Ports that nobody listens on and that no other test process was given, no two the same.
   *
   * @throws IllegalStateException when the range has not so many, with the range's property
   */
  public static synchronized List<Integer> free(int count) {
    int dash = RANGE.indexOf('-');
    int from = Integer.parseInt(RANGE.substring(0, dash).trim());
    int to = Integer.parseInt(RANGE.substring(dash + 1).trim());
    // Tests of one process follow each other: start where the last probe of this process would not.
    int start = from + (int) (System.nanoTime() >>> 10 & 0x7fffffff) % (to - from + 1);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i <= to - from && found.size() < count; i++) {
      int port = from + (start - from + i) % (to - from + 1);
      if (isFree(port) && isOurs(port)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new IllegalStateException(
          count
              + " free ports wanted, "
              + found.size()
              + " found in "
              + RANGE
              + ": name another range with -Dmillrace.test.ports=FROM-TO");
    }
    return found;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (java.net.BindException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether this process holds the port's lock, from now on or since an earlier call. */
  private static boolean isOurs(int port) {
    try {
      return GIVEN.tryLock(port, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileChannel given() {
    Path file =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "millrace-test-ports-" + System.getProperty("user.name"));
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException("no file of ports that tests were given: " + file, e);
    }
  }
}
