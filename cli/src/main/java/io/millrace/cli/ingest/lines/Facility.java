package io.millrace.cli.ingest.lines;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Facility and severity of syslog as words: {@code daemon.err}, {@code auth|security:info}. */
final class Facility {
  private static final Set<String> NAMES =
      Set.of(
          "kern",
          "user",
          "mail",
          "daemon",
          "auth",
          "syslog",
          "lpr",
          "news",
          "uucp",
          "cron",
          "authpriv",
          "ftp",
          "security",
          "auth|security",
          "local0",
          "local1",
          "local2",
          "local3",
          "local4",
          "local5",
          "local6",
          "local7");

  private Facility() {}

  /** The level of {@code 4.3}: facility and severity by their numbers, or null. */
  static @Nullable String ofNumbers(String s, int from, int to) {
    int dot = Text.digits(s, from);
    boolean numbers = dot > from && dot <= from + 2 && dot + 2 == to && s.charAt(dot) == '.';
    int severity = numbers ? s.charAt(dot + 1) - '0' : -1;
    return severity < 0 || severity > 7 ? null : Level.ofPriority(severity);
  }

  /** The level that the words between two places name, or null when they are something else. */
  static @Nullable String level(String s, int from, int to) {
    int at = from;
    while (at < to && s.charAt(at) != '.' && s.charAt(at) != ':') {
      at++;
    }
    return at < to && NAMES.contains(s.substring(from, at))
        ? Level.of(s.substring(at + 1, to))
        : null;
  }
}
