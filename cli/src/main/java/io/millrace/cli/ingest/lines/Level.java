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
  private static final String[] TENS = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

  /** The numbers of Cloud Foundry's logger, in {@code log_level}. */
  private static final String[] LAGER = {"DEBUG", "INFO", "ERROR", "FATAL"};

  /** The level of a document of ownCloud or Nextcloud: as a name, for the scale of its numbers. */
  static final String NEXTCLOUD = "reqId.level";

  private static final String[] NEXTCLOUD_LEVELS = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

  private static final Map<String, String> WORDS = words();

  private Level() {}

  private static Map<String, String> words() {
    Map<String, String> all = new HashMap<>();
    put(all, "TRACE", "TRACE", "TRC", "TRAC", "TRCE", "FINEST", "FINER", "VERBOSE", "VRB", "SILLY");
    put(all, "DEBUG", "DEBUG", "DBG", "DEBU", "DBUG", "FINE", "DDEBUG", "SUBDEBUG");
    put(all, "INFO", "INFO", "INF", "INFORMATION", "INFORMATIONAL", "CONFIG", "SUCCESS");
    put(all, "NOTICE", "NOTICE", "NOTE", "NOTI", "LIFECYCLE");
    put(all, "WARN", "WARN", "WARNING", "WRN", "DEPRECATED", "DEPRECATION");
    put(all, "ERROR", "ERR", "ERROR", "ERRO", "EROR", "SEVERE", "FAILURE", "ERRS");
    put(all, "FATAL", "CRIT", "CRITICAL", "ALERT", "EMERG", "EMERGENCY", "FATAL", "FTL", "FATA");
    put(all, "FATAL", "EMER", "CRI");
    put(all, "FATAL", "PANIC", "DPANIC", "CRT");
    // as java.util.logging and others speak to users of other languages
    put(all, "ERROR", "FEHLER", "SCHWERWIEGEND", "ERREUR", "GRAVE", "ERRO", "ERRORE", "FEL");
    put(all, "ERROR", "\u9519\u8bef", "\u932f\u8aa4", "\u30a8\u30e9\u30fc", "\u4e25\u91cd");
    put(all, "ERROR", "\u91cd\u5927", "\uc624\ub958", "\u041e\u0428\u0418\u0411\u041a\u0410");
    put(all, "WARN", "WARNUNG", "AVERTISSEMENT", "ADVERTENCIA", "AVVERTENZA", "VARNING");
    put(all, "WARN", "\u8b66\u544a", "\uacbd\uace0");
    put(all, "INFO", "INFOS", "INFORMATIONEN", "INFORMACION", "\u4fe1\u606f", "\u60c5\u5831");
    put(all, "INFO", "\uc815\ubcf4", "INFORMA\u00c7\u00d5ES", "INFORMACI\u00d3N");
    return Map.copyOf(all);
  }

  private static void put(Map<String, String> all, String level, String... words) {
    for (String word : words) {
      all.put(word, level);
    }
  }

  /** The level a word means, whatever its case, or null. */
  public static @Nullable String of(String word) {
    boolean tooShort = word.length() < 3 && (word.length() < 2 || word.charAt(0) < '\u4e00');
    return tooShort || word.length() > 13 ? null : WORDS.get(word.toUpperCase(Locale.ROOT));
  }

  /** The level of a syslog priority (facility * 8 + severity). */
  static String ofPriority(int priority) {
    return SYSLOG[priority & 7];
  }

  /**
   * The level that the value of a field means: a word, a word with a distance to it ({@code INFO+2}
   * of slog), a letter, or a number; or null.
   *
   * @param name the field: the scale of a number depends on it
   */
  static @Nullable String ofValue(String name, String value) {
    int end = value.length();
    while (end > 0 && Character.isDigit(value.charAt(end - 1))) {
      end--;
    }
    if (end == 0) {
      return value.isEmpty() || value.length() > 3 ? null : ofNumber(name, Integer.parseInt(value));
    }
    if (end == 1 && value.length() == 2 && value.charAt(0) == 'D') {
      return "DEBUG"; // D1 to D5 of MongoDB
    }
    boolean distance = end < value.length() && "+-".indexOf(value.charAt(end - 1)) >= 0;
    String word = of(distance ? value.substring(0, end - 1) : value);
    if (word == null && value.equals("LOG")) {
      return "INFO"; // PostgreSQL
    }
    return word == null && value.length() == 1 ? ofLetter(value.charAt(0)) : word;
  }

  /**
   * The level of a number: OpenTelemetry's 1 to 24, Nextcloud's 0 to 4 and those of Cloud Foundry
   * under their names, else syslog's 0 to 7, the tens of pino and bunyan, or the hundreds of
   * Monolog.
   */
  private static @Nullable String ofNumber(String name, int number) {
    if (name.toLowerCase(Locale.ROOT).replace("_", "").equals("severitynumber")) {
      return number < 1 || number > 24 ? null : TENS[(number - 1) / 4];
    }
    if (name.equals(NEXTCLOUD) && number < NEXTCLOUD_LEVELS.length) {
      return NEXTCLOUD_LEVELS[number];
    }
    if (name.equals("log_level") && number < LAGER.length) {
      return LAGER[number];
    }
    if (number <= 7) {
      return SYSLOG[number];
    }
    if (number < 70) {
      return number < 10 ? null : TENS[number / 10 - 1];
    }
    return switch (number) {
      case 100 -> "DEBUG";
      case 200 -> "INFO";
      case 250 -> "NOTICE";
      case 300 -> "WARN";
      case 400 -> "ERROR";
      case 500, 550, 600 -> "FATAL";
      default -> null;
    };
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
