package io.millrace.cli.ingest;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The severity words of log lines, and the one spelling under which they are indexed. */
final class Level {
  private static final String[] SYSLOG = {
    "FATAL", "FATAL", "FATAL", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG"
  };
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("TRACE", "TRACE"),
          Map.entry("FINEST", "TRACE"),
          Map.entry("FINER", "TRACE"),
          Map.entry("DEBUG", "DEBUG"),
          Map.entry("FINE", "DEBUG"),
          Map.entry("INFO", "INFO"),
          Map.entry("INFORMATION", "INFO"),
          Map.entry("CONFIG", "INFO"),
          Map.entry("NOTICE", "NOTICE"),
          Map.entry("WARN", "WARN"),
          Map.entry("WARNING", "WARN"),
          Map.entry("ERR", "ERROR"),
          Map.entry("ERROR", "ERROR"),
          Map.entry("SEVERE", "ERROR"),
          Map.entry("FAILURE", "ERROR"),
          Map.entry("CRIT", "FATAL"),
          Map.entry("CRITICAL", "FATAL"),
          Map.entry("ALERT", "FATAL"),
          Map.entry("EMERG", "FATAL"),
          Map.entry("FATAL", "FATAL"),
          Map.entry("PANIC", "FATAL"));

  private Level() {}

  /** The level a word means, whatever its case, or null. */
  static @Nullable String of(String word) {
    return word.length() < 3 || word.length() > 11
        ? null
        : WORDS.get(word.toUpperCase(Locale.ROOT));
  }

  /** The level of a syslog priority (facility * 8 + severity). */
  static String ofPriority(int priority) {
    return SYSLOG[priority & 7];
  }

  /** The level of a klog letter. */
  static String ofLetter(char letter) {
    return switch (letter) {
      case 'W' -> "WARN";
      case 'E' -> "ERROR";
      case 'F' -> "FATAL";
      default -> "INFO";
    };
  }
}
