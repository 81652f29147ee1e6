package io.millrace.launcher.node;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/** Finds the lines of a log that say why a node ended; reads the last 256 KB only. */
final class LogErrors {
  private static final int TAIL = 256 * 1024;
  private static final Pattern TELLS =
      Pattern.compile(
          "^\\[[^]]*]\\[(ERROR|FATAL)|^Caused by: |^(\\w+\\.)+\\w*(Exception|Error)\\b"
              + "|^Error|^error: |^Unrecognized |^Exception in thread|^java\\.lang\\.OutOfMemoryError|^Terminating due to|^Likely root cause");

  private static final Pattern WRAPPING =
      Pattern.compile(
          "^(?:Caused by: |Likely root cause: |Exception in thread \"[^\"]*\" |error: )?"
              + "(?:(?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error): )*");

  private LogErrors() {}

  /**
   * @param logs files in the order in which they are read, and from which byte of each on
   * @param pid whose words count: what stands in a log before the line with which a node of this
   *     process id begins is of an earlier start
   */
  static List<String> last(SequencedMap<Path, Long> logs, long pid, int max) {
    Map<String, String> found = new LinkedHashMap<>();
    for (Map.Entry<Path, Long> log : logs.entrySet()) {
      for (String line : ofProcess(pid, tail(log.getKey(), log.getValue()))) {
        if (TELLS.matcher(line).find()) {
          String shown = line.length() > 300 ? line.substring(0, 300) + "..." : line;
          // the same cause is logged by several hands: its newest place counts
          String cause = cause(line);
          found.remove(cause);
          found.put(cause, shown);
        }
      }
    }
    List<String> lines = new ArrayList<>(found.values());
    return lines.subList(Math.max(0, lines.size() - max), lines.size());
  }

  /** What a line says without who says it and in which exceptions it is wrapped. */
  private static String cause(String line) {
    return WRAPPING.matcher(line).replaceFirst("");
  }

  /** A node names its process in its first line. */
  private static List<String> ofProcess(long pid, List<String> lines) {
    String begins = ", pid[" + pid + "]";
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).contains(begins)) {
        return lines.subList(i, lines.size());
      }
    }
    return lines;
  }

  private static List<String> tail(Path log, long start) {
    if (!Files.isReadable(log)) {
      return List.of();
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.min(file.length(), Math.max(start, file.length() - TAIL));
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of("error: " + log + " cannot be read: " + e.getMessage());
    }
  }
}
