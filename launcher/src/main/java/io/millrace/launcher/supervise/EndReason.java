package io.millrace.launcher.supervise;

import io.millrace.launcher.cluster.ClusterState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Why a node's process ended, as far as it left traces. */
final class EndReason {
  /** Written by guard.gc-debt when a node leaves by itself; zeros while it runs. */
  static final String LEFT = "millrace-left.txt";

  /** Written by guard.search-lanes while searches run; zeros while none does. */
  static final String HEAVIEST = "millrace-heaviest.txt";

  /** Printed by the JVM under -XX:+ExitOnOutOfMemoryError. */
  private static final String OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError";

  private static final int LINES = 20;

  private EndReason() {}

  static String of(ClusterState.Node node) {
    String left = note(node, LEFT);
    String heaviest = note(node, HEAVIEST);
    return (left.isEmpty() ? ended(node) : left)
        + (heaviest.isEmpty() ? "" : "; the heaviest request was " + heaviest);
  }

  /** A file that the node keeps in its log folder; zeros are nothing. */
  private static String note(ClusterState.Node node, String name) {
    Path logs = Path.of(node.log()).getParent();
    Path file = logs == null ? Path.of(name) : logs.resolve(name);
    try {
      return Files.isReadable(file)
          ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replace("\0", "").strip()
          : "";
    } catch (IOException e) {
      return ""; // then what the logs say
    }
  }

  /**
   * What is certain first. A process that somebody else started leaves no exit code, and what
   * stands last in a log may have nothing to do with its end.
   */
  private static String ended(ClusterState.Node node) {
    List<String> errors = node.process().lastErrors(LINES);
    for (String line : errors) {
      if (line.contains(OUT_OF_MEMORY)) {
        return "its process ended itself with exit code 3: " + line.strip();
      }
    }
    return "its process ended without a message (killed from outside with signal 9, or by the"
        + " kernel for lack of memory)"
        + (errors.isEmpty()
            ? ""
            : "; the last error in its log, which may have another cause: " + errors.getLast());
  }
}
