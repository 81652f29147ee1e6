package io.millrace.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports on loopback, below the range from which the operating system serves outgoing
 * connections.
 *
 * <p>A killed node must find its port free when it starts again: a port of the ephemeral range
 * (32768 and up on Linux) may meanwhile serve as the near end of any connection.
 *
 * <p>The system property {@code millrace.test.ports} ({@code from-to}, both included) gives another
 * range, for two runs at a time on one machine.
 */
public final class FreePorts {
  private static final String RANGE = System.getProperty("millrace.test.ports", "19700-19799");

  private FreePorts() {}

  /**
   * FreePorts that nobody listened on a moment ago, no two the same.
   *
   * @throws IllegalStateException when the range has not so many, with the range's property
   */
  public static List<Integer> free(int count) {
    int dash = RANGE.indexOf('-');
    int from = Integer.parseInt(RANGE.substring(0, dash).trim());
    int to = Integer.parseInt(RANGE.substring(dash + 1).trim());
    // Tests of one process follow each other: start where the last probe of this process would not.
    int start = from + (int) (System.nanoTime() >>> 10 & 0x7fffffff) % (to - from + 1);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i <= to - from && found.size() < count; i++) {
      int port = from + (start - from + i) % (to - from + 1);
      if (isFree(port)) {
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
}
