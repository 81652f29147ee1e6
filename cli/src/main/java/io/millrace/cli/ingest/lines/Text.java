package io.millrace.cli.ingest.lines;

/** Small steps over the characters of a line. */
final class Text {
  private Text() {}

  static int spaces(String s, int from) {
    int at = from;
    while (at < s.length() && (s.charAt(at) == ' ' || s.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  /** Where the digits that start here end. */
  static int digits(String s, int from) {
    int at = from;
    while (at < s.length() && s.charAt(at) >= '0' && s.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  /** Spaces, and a lone dash, bar or colon between them. */
  static int punctuation(String s, int from) {
    int i = from < s.length() && ":,;|".indexOf(s.charAt(from)) >= 0 ? from + 1 : from;
    i = spaces(s, i);
    if (i + 1 < s.length()
        && "-|:".indexOf(s.charAt(i)) >= 0
        && (s.charAt(i + 1) == ' ' || s.charAt(i + 1) == '\t')) {
      i = spaces(s, i + 1);
    }
    return i;
  }

  /** Where a word starts, counted from 0 and separated by white space, commas or bars; or -1. */
  static int word(String s, int number) {
    int at = 0;
    for (int i = 0; i < number; i++) {
      while (at < s.length() && " \t,|;".indexOf(s.charAt(at)) < 0) {
        at++;
      }
      int gap = at;
      while (at < s.length() && " \t,|;".indexOf(s.charAt(at)) >= 0) {
        at++;
      }
      if (at == gap || at == s.length()) {
        return -1;
      }
    }
    return at;
  }

  /** Whether text looks like an IP address, perhaps with a port. */
  static boolean isAddress(String s, int from, int to) {
    int dots = 0;
    int colons = 0;
    for (int i = from; i < to; i++) {
      char c = s.charAt(i);
      if (c == '.') {
        dots++;
      } else if (c == ':') {
        colons++;
      } else if (Character.digit(c, 16) < 0 && c != '[' && c != ']') {
        return false;
      }
    }
    return dots == 3 || colons >= 2;
  }
}
