package io.millrace.pipelines.retention;

import java.util.Locale;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * For how long the indices of a pattern stay, as a line of the setting says it: {@code logs-*
 * max_age=14d max_size=200gb}.
 *
 * @param text the line
 * @param pattern of names of indices or data streams
 * @param maxAge milliseconds after an index got its last day; -1 for no bound
 * @param maxSize bytes of all copies of the pattern's indices; -1 for no bound
 * @param rolloverAge milliseconds after which a data stream gets a new write index; -1 for never
 * @param rolloverSize bytes of all copies of the write index after which it gets one; -1 for never
 */
record RetentionRule(
    String text, String pattern, long maxAge, long maxSize, long rolloverAge, long rolloverSize) {

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException naming the part that cannot be read
   */
  static RetentionRule parse(String text) {
    String[] parts = text.trim().split("\\s+");
    long maxAge = -1;
    long maxSize = -1;
    long rolloverAge = -1;
    long rolloverSize = -1;
    if (parts[0].isEmpty() || parts[0].contains("=") || parts[0].startsWith(".")) {
      throw wrong(parts[0], "begin with a pattern of names that does not begin with a dot");
    }
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].indexOf('=');
      String key = at < 0 ? parts[i] : parts[i].substring(0, at).toLowerCase(Locale.ROOT);
      String value = at < 0 ? "" : parts[i].substring(at + 1);
      try {
        switch (key) {
          case "max_age" -> maxAge = time(value);
          case "max_size" -> maxSize = bytes(value);
          case "rollover_age" -> rolloverAge = time(value);
          case "rollover_size" -> rolloverSize = bytes(value);
          default -> throw wrong(parts[i], "use max_age, max_size, rollover_age or rollover_size");
        }
      } catch (org.opensearch.OpenSearchException e) {
        throw wrong(parts[i], String.valueOf(e.getMessage()));
      }
    }
    if (parts.length == 1) {
      throw wrong(text, "give max_age, max_size, rollover_age or rollover_size");
    }
    return new RetentionRule(text, parts[0], maxAge, maxSize, rolloverAge, rolloverSize);
  }

  private static long time(String value) {
    long millis = TimeValue.parseTimeValue(value, "the time").millis();
    if (millis <= 0) {
      throw new IllegalArgumentException("the time [" + value + "] is not above zero");
    }
    return millis;
  }

  private static long bytes(String value) {
    long bytes = ByteSizeValue.parseBytesSizeValue(value, "the size").getBytes();
    if (bytes <= 0) {
      throw new IllegalArgumentException("the size [" + value + "] is not above zero");
    }
    return bytes;
  }

  private static IllegalArgumentException wrong(String part, String remedy) {
    return new IllegalArgumentException(
        "[" + part + "]: " + remedy + ", as in [logs-* max_age=14d]");
  }

  boolean matches(Candidate candidate) {
    return Regex.simpleMatch(pattern, candidate.known());
  }
}
