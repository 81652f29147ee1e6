package io.millrace.launcher.supervise;

import io.millrace.launcher.cluster.ClusterState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Why a node's process ended, as far as it left traces. */
final class EndReason {
  /** Written by guard.gc-debt when a node leaves by itself; zeros while it runs. */
  static final String LEFT = "millrace-left.txt";

  /** Written by guard.search-lanes while searches run; zeros while none does. */
  static final String HEAVIEST = "millrace-heaviest.txt";

  /** Printed by the JVM under -XX:+ExitOnOutOfMemoryError. */
  private static final String OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError";

  /** The last word of OpenSearchUncaughtExceptionHandler (3.8.0), which ends the process. */
  private static final Pattern FATAL =
      Pattern.compile("fatal error in thread \\[(.*)], exiting\\s*$");

  private static final Pattern ERROR = Pattern.compile("^(?:\\w+\\.)+(\\w*Error)\\b.*");

  /** The exit codes of that handler; 1 for every other error. */
  private static final Map<String, Integer> CODES =
      Map.of(
          "InternalError",
          128,
          "OutOfMemoryError",
          127,
          "StackOverflowError",
          126,
          "UnknownError",
          125,
          "IOError",
          124);

  private static final int LINES = 20;

  private static final int TAIL = 8_192;

  /** {@code # SIGSEGV (0xb) at pc=...} and what else the head of an hs_err file says. */
  private static final Pattern CRASH =
      Pattern.compile("#\\s+(SIG.*|EXCEPTION_.*|Internal Error.*|There is insufficient memory.*)");

  /** The last word of an OpenSearch that was asked to end, at the end of its log. */
  private static final Pattern CLOSED =
      Pattern.compile("\\[INFO ]\\[o\\.o\\.n\\.Node +] \\[[^]]*] closed\\s*$");

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
    String fatal = fatal(errors);
    if (!fatal.isEmpty()) {
      return fatal;
    }
    String crash = crash(node);
    if (!crash.isEmpty()) {
      return crash;
    }
    if (closed(node)) {
      return "its process ended in order, with exit code 143: something sent it signal 15 (TERM)";
    }
    return "its process ended without a message (killed from outside with signal 9, or by the"
        + " kernel for lack of memory)"
        + (errors.isEmpty()
            ? ""
            : "; the last error in its log, which may have another cause: " + errors.getLast());
  }

  /** What ended the process from within: an error that no thread may go on after. */
  private static String fatal(List<String> errors) {
    String thread = "";
    for (String line : errors) {
      Matcher fatal = FATAL.matcher(line);
      Matcher error = ERROR.matcher(line);
      if (fatal.find()) {
        thread = fatal.group(1);
      } else if (!thread.isEmpty() && error.matches()) {
        return "its process ended itself with exit code "
            + CODES.getOrDefault(error.group(1), 1)
            + ": "
            + line.strip()
            + " in thread ["
            + thread
            + "]";
      }
    }
    return "";
  }

  /** What the JVM wrote about its own crash. */
  private static String crash(ClusterState.Node node) {
    Path report = Path.of(node.log()).resolveSibling("hs_err_pid" + node.pid() + ".log");
    if (!Files.isReadable(report)) {
      return "";
    }
    String what = "";
    try (Stream<String> lines = Files.lines(report, StandardCharsets.ISO_8859_1)) {
      what =
          lines
              .limit(LINES)
              .map(CRASH::matcher)
              .filter(Matcher::matches)
              .map(crash -> crash.group(1) + "; ")
              .findFirst()
              .orElse("");
    } catch (IOException | UncheckedIOException e) {
      // its name is left to tell
    }
    return "the JVM crashed, with exit code 134 (signal 6, ABRT): "
        + what
        + "its report: "
        + report;
  }

  /** Whether the last that the server did was to close. */
  private static boolean closed(ClusterState.Node node) {
    try (SeekableByteChannel log = Files.newByteChannel(Path.of(node.log()))) {
      log.position(Math.max(0, log.size() - TAIL));
      ByteBuffer tail = ByteBuffer.allocate(TAIL);
      while (tail.hasRemaining() && log.read(tail) > 0) {
        continue;
      }
      return CLOSED
          .matcher(new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8))
          .find();
    } catch (IOException e) {
      return false;
    }
  }
}
