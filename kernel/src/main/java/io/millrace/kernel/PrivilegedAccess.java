package io.millrace.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.secure_sm.AccessController;

/**
 * The one way in which the plugin touches files and sockets outside the data path.
 *
 * <p>The java agent checks every protection domain on the call stack, so that code called from a
 * Netty handler is denied what the plugin's own policy grants. Everything that runs inside {@link
 * #call} is judged by the plugin's policy alone; what it touches needs a line in {@code
 * plugin-security.policy}.
 */
public final class PrivilegedAccess {
  private PrivilegedAccess() {}

  /** An action that may fail with an I/O error. */
  @FunctionalInterface
  public interface IoAction<T> {
    T run() throws IOException;
  }

  /**
   * Runs an action under the plugin's own policy.
   *
   * @throws IOException as thrown by the action
   */
  public static <T> T call(IoAction<T> action) throws IOException {
    try {
      return AccessController.doPrivileged(() -> {
        try {
          return action.run();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
