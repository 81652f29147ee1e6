package io.millrace.cli.ingest.lines;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/** The words of a time: months, days of the week and zones. Looked up without making strings. */
final class TimeWords {
  /** Not a zone. */
  static final int NONE = Integer.MIN_VALUE;

  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final String[] FULL = {
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december"
  };
  private static final String DAYS = "montuewedthufrisatsun";
  private static final String[] FULL_DAYS = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
  };

  /** Minutes east of UTC; where an abbreviation has several meanings, the most common one. */
  private static final Map<String, Integer> ZONES =
      Map.ofEntries(
          Map.entry("UTC", 0),
          Map.entry("utc", 0),
          Map.entry("GMT", 0),
          Map.entry("UCT", 0),
          Map.entry("WET", 0),
          Map.entry("WEST", 60),
          Map.entry("BST", 60),
          Map.entry("CET", 60),
          Map.entry("MEZ", 60),
          Map.entry("CEST", 120),
          Map.entry("MESZ", 120),
          Map.entry("SAST", 120),
          Map.entry("EET", 120),
          Map.entry("EEST", 180),
          Map.entry("MSK", 180),
          Map.entry("TRT", 180),
          Map.entry("GST", 240),
          Map.entry("PKT", 300),
          Map.entry("IST", 330),
          Map.entry("ICT", 420),
          Map.entry("WIB", 420),
          Map.entry("HKT", 480),
          Map.entry("SGT", 480),
          Map.entry("AWST", 480),
          Map.entry("JST", 540),
          Map.entry("KST", 540),
          Map.entry("ACST", 570),
          Map.entry("AEST", 600),
          Map.entry("ACDT", 630),
          Map.entry("AEDT", 660),
          Map.entry("NZST", 720),
          Map.entry("NZDT", 780),
          Map.entry("BRT", -180),
          Map.entry("ART", -180),
          Map.entry("NDT", -150),
          Map.entry("NST", -210),
          Map.entry("ADT", -180),
          Map.entry("AST", -240),
          Map.entry("EDT", -240),
          Map.entry("EST", -300),
          Map.entry("CDT", -300),
          Map.entry("CST", -360),
          Map.entry("MDT", -360),
          Map.entry("MST", -420),
          Map.entry("PDT", -420),
          Map.entry("PST", -480),
          Map.entry("AKDT", -480),
          Map.entry("AKST", -540),
          Map.entry("HST", -600));

  private TimeWords() {}

  /** Where the word of letters that starts here ends. */
  static int wordEnd(String s, int from) {
    int end = from;
    while (end < s.length() && Character.isLetter(s.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int abbreviation(String table, String s, int from, int end) {
    if (end - from < 3) {
      return -1;
    }
    char a = (char) (s.charAt(from) | 0x20);
    char b = (char) (s.charAt(from + 1) | 0x20);
    char c = (char) (s.charAt(from + 2) | 0x20);
    for (int i = 0; i < table.length(); i += 3) {
      if (table.charAt(i) == a && table.charAt(i + 1) == b && table.charAt(i + 2) == c) {
        return i / 3;
      }
    }
    return -1;
  }

  private static int word(String table, String[] full, String s, int from, int end) {
    int index = abbreviation(table, s, from, end);
    if (index < 0 || end - from == 3) {
      return index;
    }
    boolean sept = full[index].startsWith("sept") && end - from == 4;
    boolean known = end - from == full[index].length() || sept;
    return known && s.regionMatches(true, from, full[index], 0, end - from) ? index : -1;
  }

  /** The month of an English name or abbreviation, 1 to 12, or 0. */
  static int month(String s, int from, int end) {
    return word(MONTHS, FULL, s, from, end) + 1;
  }

  /** Whether the word is a day of the week. */
  static boolean isDay(String s, int from, int end) {
    return word(DAYS, FULL_DAYS, s, from, end) >= 0;
  }

  /** The offset of a zone's abbreviation in minutes, or {@link #NONE}. */
  static int zone(String s, int from, int end) {
    if (end - from < 3 || end - from > 4) {
      return NONE;
    }
    return ZONES.getOrDefault(s.substring(from, end), NONE);
  }

  /** The offset of a region such as {@code Europe/Berlin} at a local time, or {@link #NONE}. */
  static int region(String name, long localMillis) {
    try {
      ZoneId zone = ZoneId.of(name);
      return TimeScanner.offsetMinutes(zone, Instant.ofEpochMilli(localMillis));
    } catch (DateTimeException e) {
      return NONE;
    }
  }
}
