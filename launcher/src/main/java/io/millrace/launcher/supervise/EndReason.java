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

  private EndReason() {}

  static String of(ClusterState.Node node) {
    Path logs = Path.of(node.log()).getParent();
    Path left = logs == null ? Path.of(LEFT) : logs.resolve(LEFT);
    try {
      if (Files.isReadable(left)) {
        String text =
            new String(Files.readAllBytes(left), StandardCharsets.UTF_8).replace("\0", "").strip();
        if (!text.isEmpty()) {
          return text;
        }
      }
    } catch (IOException e) {
      // then what the logs say
    }
    List<String> errors = node.process().lastErrors(1);
    return errors.isEmpty()
        ? "its process ended without a message (killed from outside, or by the kernel for "
            + "lack of memory)"
        : "its process ended: " + errors.getLast();
  }
}
