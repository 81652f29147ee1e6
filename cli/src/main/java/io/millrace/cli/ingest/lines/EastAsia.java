package io.millrace.cli.ingest.lines;

/** The signs with which dates and clocks are written in Chinese, Japanese and Korean. */
final class EastAsia {
  /** No half of the day. */
  static final int NONE = -1;

  /** Characters of a half of the day. */
  static final int HALF = 2;

  private static final String[] AM = {"\u4e0a\u5348", "\u5348\u524d", "\uc624\uc804"};
  private static final String[] PM = {"\u4e0b\u5348", "\u5348\u5f8c", "\uc624\ud6c4"};

  private EastAsia() {}

  /** Hours to add for the half of the day that stands here: 0, 12 or {@link #NONE}. */
  static int half(String s, int at) {
    if (at >= s.length() || s.charAt(at) < '\u4e00') {
      return NONE;
    }
    for (int i = 0; i < AM.length; i++) {
      if (s.startsWith(AM[i], at)) {
        return 0;
      }
      if (s.startsWith(PM[i], at)) {
        return 12;
      }
    }
    return NONE;
  }

  static boolean isYear(char c) {
    return c == '\u5e74' || c == '\ub144';
  }

  static boolean isMonth(char c) {
    return c == '\u6708' || c == '\uc6d4';
  }

  static boolean isDay(char c) {
    return c == '\u65e5' || c == '\uc77c';
  }

  static boolean isHour(char c) {
    return c == '\u6642' || c == '\u65f6' || c == '\u70b9' || c == '\uc2dc';
  }

  static boolean isMinute(char c) {
    return c == '\u5206' || c == '\ubd84';
  }

  static boolean isSecond(char c) {
    return c == '\u79d2' || c == '\ucd08';
  }
}
