package io.millrace.access.control;

import io.millrace.access.store.AccessStore;
import io.millrace.credential.Operators;
import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Reads the file of operators, at the start and whenever it has changed. A file that cannot be read
 * later leaves the operators as they were: whoever edits it must not lock themselves out.
 */
final class OperatorsFile {
  private static final Logger LOGGER = LogManager.getLogger(OperatorsFile.class);

  private final Path file;
  private final AccessStore store;
  private String last = "";

  OperatorsFile(Path config, AccessStore store) {
    this.file = config.resolve(Operators.PATH);
    this.store = store;
  }

  /**
   * Reads it at the start of the node.
   *
   * @throws IllegalStateException when it is there and wrong
   */
  void first() {
    try {
      take(text());
      if (store.operators().hashes().isEmpty()) {
        LOGGER.warn(
            "[{}] names no operator: until there is a user with role [superuser], nobody can make"
                + " one",
            file);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException("[" + file + "]: " + e.getMessage(), e);
    }
  }

  /** Reads it again when it has changed. */
  void again() {
    try {
      String now = text();
      if (!now.equals(last)) {
        take(now);
        LOGGER.info("[{}] was read: {} operators", file, store.operators().hashes().size());
      }
    } catch (IOException | IllegalArgumentException e) {
      LOGGER.warn("[{}] is left as it was: {}", file, e.getMessage());
    }
  }

  private void take(String text) {
    store.operators(Operators.parse(text));
    last = text;
  }

  private String text() throws IOException {
    return PrivilegedAccess.call(() -> Files.exists(file) ? Files.readString(file) : "");
  }
}
