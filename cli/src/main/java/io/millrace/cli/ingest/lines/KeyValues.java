package io.millrace.cli.ingest.lines;

import org.jspecify.annotations.Nullable;

/**
 * logfmt and its relatives: {@code time=... level=... msg="..." key=value}. Each key becomes a
 * field; what {@link KnownNames} knows becomes time, level, message and host.
 */
final class KeyValues {
  private static final int MOST = 200;
  private final TimeScanner time;
  private final int[] spots = new int[MOST * 4];
  private int count;

  KeyValues(TimeScanner time) {
    this.time = time;
  }

  /**
   * Takes a line of pairs apart.
   *
   * @param from where the pairs begin
   * @param timeless whether pairs with a level and a message will do, though without a time
   * @return false when the line is no such line
   */
  boolean parse(ParsedLine out, int from, boolean timeless) {
    String s = out.line();
    if (!split(s, from)) {
      return false;
    }
    int message = find(s, KnownNames.Role.MESSAGE);
    int levelAt = find(s, KnownNames.Role.LEVEL);
    int timeAt = find(s, KnownNames.Role.TIME);
    boolean found = timeAt >= 0 && scan(out, s, timeAt);
    if (!found && !(timeless && message >= 0 && levelAt >= 0)) {
      return false;
    }
    boolean placed = found && time.end() <= spots[timeAt * 4 + 3] && out.placed();
    if (levelAt >= 0) {
      String key = s.substring(spots[levelAt * 4], spots[levelAt * 4 + 1]);
      out.level(Level.ofValue(key, value(s, levelAt)));
    }
    boolean named = out.level() != null;
    int host = find(s, KnownNames.Role.HOST);
    for (int i = 0; i < count; i++) {
      if (i != message && (i != timeAt || !placed) && (i != levelAt || !named)) {
        String key =
            i == host ? "host" : ParsedLine.ownName(s.substring(spots[i * 4], spots[i * 4 + 1]));
        String value = value(s, i);
        if (value.length() == spots[i * 4 + 3] - spots[i * 4 + 2] && out.field(key) == null) {
          out.span(key, spots[i * 4 + 2], spots[i * 4 + 3]);
        } else {
          out.value(key, value);
          out.inexact();
        }
      }
    }
    if (message >= 0
        && value(s, message).length() == spots[message * 4 + 3] - spots[message * 4 + 2]) {
      out.message(spots[message * 4 + 2], spots[message * 4 + 3]);
    }
    return true;
  }

  private boolean scan(ParsedLine out, String s, int pair) {
    int from = spots[pair * 4 + 2];
    if (time.scan(s, from)) {
      out.time(time, from);
      return true;
    }
    // date=2024-05-06 time=10:11:12 of firewalls
    for (int i = 0; i + 1 < count; i++) {
      if (is(s, i, "date") && is(s, i + 1, "time")) {
        String joined = value(s, i) + ' ' + value(s, i + 1) + zone(s);
        if (time.scan(joined, 0)) {
          out.time(time);
          return true;
        }
      }
    }
    return false;
  }

  /** The zone of the date and the time beside it: {@code tz="+0200"}, {@code timezone="CEST"}. */
  private String zone(String s) {
    for (int i = 0; i < count; i++) {
      if (is(s, i, "tz") || is(s, i, "timezone")) {
        return ' ' + value(s, i);
      }
    }
    return "";
  }

  private boolean is(String s, int pair, String key) {
    int from = spots[pair * 4];
    return spots[pair * 4 + 1] - from == key.length() && s.startsWith(key, from);
  }

  private int find(String s, KnownNames.Role role) {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int rank = KnownNames.rank(role, s.substring(spots[i * 4], spots[i * 4 + 1]));
      if (rank < bestRank) {
        bestRank = rank;
        best = i;
      }
    }
    return best;
  }

  private String value(String s, int pair) {
    String raw = s.substring(spots[pair * 4 + 2], spots[pair * 4 + 3]);
    return raw.indexOf('\\') < 0 || s.charAt(spots[pair * 4 + 2] - 1) != '"' ? raw : unescaped(raw);
  }

  private static String unescaped(String raw) {
    StringBuilder out = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '\\' && i + 1 < raw.length()) {
        char next = raw.charAt(++i);
        switch (next) {
          case 'n' -> out.append('\n');
          case 't' -> out.append('\t');
          case '"', '\\' -> out.append(next);
          default -> out.append(c).append(next);
        }
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /** Finds the pairs; false when the line holds something else before, or less than two. */
  private boolean split(String s, int from) {
    count = 0;
    int at = from;
    while (at < s.length() && count < MOST) {
      int keyEnd = key(s, at);
      if (keyEnd == at || keyEnd >= s.length() || s.charAt(keyEnd) != '=') {
        if (count < 2) {
          return false;
        }
        at = next(s, at);
        continue;
      }
      int value = keyEnd + 1;
      int end;
      boolean quoted = value < s.length() && s.charAt(value) == '"';
      if (quoted) {
        value++;
        end = value;
        while (end < s.length() && s.charAt(end) != '"') {
          end += s.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end, s.length());
      } else {
        end = value;
        while (end < s.length() && s.charAt(end) != ' ' && s.charAt(end) != '\t') {
          end++;
        }
      }
      spots[count * 4] = at;
      spots[count * 4 + 1] = keyEnd;
      spots[count * 4 + 2] = value;
      spots[count * 4 + 3] = end;
      count++;
      at = Text.spaces(s, quoted ? end + 1 : end);
    }
    return count > 1;
  }

  private static int next(String s, int at) {
    int space = s.indexOf(' ', at);
    return space < 0 ? s.length() : Text.spaces(s, space);
  }

  private static int key(String s, int from) {
    int at = from;
    while (at < s.length()
        && (Character.isLetterOrDigit(s.charAt(at)) || "_.-@/".indexOf(s.charAt(at)) >= 0)) {
      at++;
    }
    return at;
  }

  /** Looks for a level among pairs behind other text; the message stays. */
  void level(ParsedLine out, int from) {
    String s = out.line();
    for (String key : new String[] {"level=", "lvl=", "severity=", "at="}) {
      int at = s.indexOf(key, from);
      if (at == from || (at > from && " ,;".indexOf(s.charAt(at - 1)) >= 0)) {
        out.level(word(s, at + key.length()));
        return;
      }
    }
  }

  private static @Nullable String word(String s, int from) {
    int start = from < s.length() && s.charAt(from) == '"' ? from + 1 : from;
    return Level.of(s.substring(start, TimeWords.wordEnd(s, start)));
  }
}
