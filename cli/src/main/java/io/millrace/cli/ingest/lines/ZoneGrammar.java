package io.millrace.cli.ingest.lines;

import java.time.ZoneId;

/**
 * The zone behind a clock: {@code Z}, {@code +02:00}, {@code -0700}, {@code CEST}, {@code GMT+2},
 * {@code Europe/Berlin}.
 */
abstract class ZoneGrammar extends TimeCursor {
  ZoneGrammar(ZoneId zone) {
    super(zone);
  }

  /** An offset, an abbreviation or a region; {@code loose} takes offsets of two digits too. */
  void zone(boolean loose) {
    int mark = at;
    if (charAt(at) == 'Z' && !Character.isLetterOrDigit(charAt(at + 1))) {
      at++;
      zoned(0);
      return;
    }
    boolean paren = s.startsWith(" (", at);
    at += paren ? 2 : charAt(at) == ' ' ? 1 : 0;
    char c = charAt(at);
    if (c == '+' || c == '-') {
      if (numericZone(loose, at > mark)) {
        return;
      }
    } else if (c >= 'A' && c <= 'Z' || s.startsWith("utc", at)) {
      int end = TimeWords.wordEnd(s, at);
      int minutes = TimeWords.zone(s, at, end);
      char behind = charAt(end);
      if (minutes != TimeWords.NONE && behind != '_' && !digit(behind) && behind != '.') {
        at = minutes == 0 && behind == ' ' && spelled(end + 1) ? end + 1 : end;
        behind = charAt(at);
        if (minutes != 0 || (behind != '+' && behind != '-') || !numericZone(true, false)) {
          zoned(minutes);
        }
        if (paren) {
          skip(')');
        }
        return;
      }
      if (behind == '/' && region(end)) {
        return;
      }
    }
    at = mark;
  }

  /** {@code +0200} behind {@code GMT} and a space. */
  private boolean spelled(int from) {
    return (charAt(from) == '+' || charAt(from) == '-')
        && digits(from + 1) == 4
        && charAt(from + 5) == ' ';
  }

  private boolean region(int end) {
    int to = end;
    while (to < s.length()
        && (Character.isLetter(s.charAt(to)) || "/_-".indexOf(s.charAt(to)) >= 0)) {
      to++;
    }
    int minutes = TimeWords.region(s.substring(at, to), (second + offset * 60L) * 1000);
    if (minutes == TimeWords.NONE) {
      return false;
    }
    at = to;
    zoned(minutes);
    return true;
  }

  private boolean numericZone(boolean loose, boolean apart) {
    boolean minus = charAt(at) == '-';
    int count = digits(at + 1);
    int from = at + 1;
    int minutes;
    int end;
    if (count == 4) {
      minutes =
          Integer.parseInt(s, from, from + 2, 10) * 60
              + Integer.parseInt(s, from + 2, from + 4, 10);
      end = from + 4;
    } else if (count == 2 && charAt(from + 2) == ':' && digits(from + 3) == 2) {
      minutes =
          Integer.parseInt(s, from, from + 2, 10) * 60
              + Integer.parseInt(s, from + 3, from + 5, 10);
      end = from + 5;
    } else if (count == 3 && !apart) {
      minutes = Integer.parseInt(s, from, from + 3, 10); // DB2
      end = from + 3;
    } else if (loose && (count == 2 || count == 1 && !apart)) {
      minutes = Integer.parseInt(s, from, from + count, 10) * 60;
      end = from + count;
      if (apart && charAt(end) != ' ' && charAt(end) != '\0') {
        return false;
      }
    } else {
      return false;
    }
    if (minutes > 18 * 60 || minutes % 15 != 0) {
      return false; // "(05/06-10:11:12-1234)" of cron is a process
    }
    at = end;
    zoned(minus ? -minutes : minutes);
    return true;
  }

  void zoned(int minutes) {
    second += (offset - minutes) * 60L;
    offset = minutes;
    zoned = true;
  }
}
