package io.millrace.cli.ingest.lines;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The severity words of log lines, and the one spelling under which they are indexed. */
public final class Level {
  private static final String[] SYSLOG = {
    "FATAL", "FATAL", "FATAL", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG"
  };
  private static final Map<String, String> WORDS = words();

  private Level() {}

  private static Map<String, String> words() {
    Map<String, String> all = new HashMap<>();
    put(all, "TRACE", "TRACE", "TRC", "TRAC", "FINEST", "FINER", "VERBOSE", "VRB");
    put(all, "DEBUG", "DEBUG", "DBG", "DEBU", "FINE");
    put(all, "INFO", "INFO", "INF", "INFORMATION", "INFORMATIONAL", "CONFIG");
    put(all, "NOTICE", "NOTICE", "NOTE");
    put(all, "WARN", "WARN", "WARNING", "WRN");
    put(all, "ERROR", "ERR", "ERROR", "ERRO", "SEVERE", "FAILURE");
    put(all, "FATAL", "CRIT", "CRITICAL", "ALERT", "EMERG", "EMERGENCY", "FATAL", "FTL", "FATA");
    put(all, "FATAL", "PANIC", "DPANIC", "CRT");
    return Map.copyOf(all);
  }

  private static void put(Map<String, String> all, String level, String... words) {
    for (String word : words) {
      all.put(word, level);
    }
  }

  /** The level a word means, whatever its case, or null. */
  public static @Nullable String of(String word) {
    return word.length() < 3 || word.length() > 13
        ? null
        : WORDS.get(word.toUpperCase(Locale.ROOT));
  }

  /** The level of a syslog priority (facility * 8 + severity). */
  static String ofPriority(int priority) {
    return SYSLOG[priority & 7];
  }

  /** The level of a number in a JSON document: syslog's 0 to 7, or the tens of pino and bunyan. */
  static @Nullable String ofNumber(long number) {
    if (number >= 0 && number <= 7) {
      return SYSLOG[(int) number];
    }
    return number % 10 == 0 && number <= 60
        ? switch ((int) number) {
          case 10 -> "TRACE";
          case 20 -> "DEBUG";
          case 30 -> "INFO";
          case 40 -> "WARN";
          case 50 -> "ERROR";
          default -> "FATAL";
        }
        : null;
  }

  /** The level of a letter, as klog, logcat and others write it, or null. */
  static @Nullable String ofLetter(char letter) {
    return switch (letter) {
      case 'T', 'V' -> "TRACE";
      case 'D' -> "DEBUG";
      case 'I' -> "INFO";
      case 'N' -> "NOTICE";
      case 'W' -> "WARN";
      case 'E' -> "ERROR";
      case 'F', 'C' -> "FATAL";
      default -> null;
    };
  }
}
