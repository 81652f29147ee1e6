package io.millrace.cli.ingest;

import io.millrace.corpus.JsonBuffer;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Takes a plain log line apart: time, level, and where the format has them host, process and pid;
 * the message is the rest. A line of no known shape keeps its whole text as the message.
 *
 * <p>What is taken out of the message is in a field; nothing else is dropped. Not thread-safe.
 */
final class LineParser {
  private static final int LEVEL_REACH = 120;
  private final TimeScanner time;

  private boolean timed;
  private long millis;
  private @Nullable String level;
  private @Nullable String host;
  private @Nullable String process;
  private @Nullable String pid;
  private @Nullable String tag;
  private @Nullable String client;
  private @Nullable String method;
  private int status = -1;
  private long bytes = -1;
  private String message = "";

  LineParser(ZoneId zone) {
    time = new TimeScanner(zone);
  }

  /** See {@link TimeScanner#reference}. */
  void reference(long epochMillis) {
    time.reference(epochMillis);
  }

  boolean timed() {
    return timed;
  }

  String message() {
    return message;
  }

  @Nullable String level() {
    return level;
  }

  /** Parses the line; the result stands until the next call. */
  void parse(String line) {
    timed = false;
    level = null;
    host = null;
    process = null;
    pid = null;
    tag = null;
    client = null;
    method = null;
    status = -1;
    bytes = -1;
    message = line;
    if (line.isEmpty() || Character.isWhitespace(line.charAt(0))) {
      return;
    }
    char first = line.charAt(0);
    boolean known =
        (first == '<' && syslogPriority(line))
            || (first == '[' && bracketed(line))
            || leadingTime(line, 0)
            || labelled(line)
            || access(line)
            || keyValue(line)
            || secondToken(line);
    if (!known) {
      int rest = levelAt(line, 0);
      message = rest > 0 ? line.substring(rest) : line;
    }
  }

  private void found() {
    timed = true;
    millis = time.millis();
  }

  private boolean syslogPriority(String s) {
    int close = s.indexOf('>');
    if (close < 2 || close > 4) {
      return false;
    }
    int priority = 0;
    for (int i = 1; i < close; i++) {
      if (!Character.isDigit(s.charAt(i))) {
        return false;
      }
      priority = priority * 10 + s.charAt(i) - '0';
    }
    boolean modern = s.startsWith("1 ", close + 1);
    if (modern ? !rfc5424(s, close + 3) : !leadingTime(s, close + 1)) {
      return false;
    }
    level = Level.ofPriority(priority);
    return true;
  }

  /** After the version: time, host, application, process id, message id, structured data. */
  private boolean rfc5424(String s, int at) {
    if (!time.scan(s, at)) {
      return false;
    }
    found();
    String[] part = s.substring(skipSpaces(s, time.end())).split(" ", 5);
    if (part.length < 5) {
      message = s.substring(skipSpaces(s, time.end()));
      return true;
    }
    host = dash(part[0]);
    process = dash(part[1]);
    pid = dash(part[2]);
    tag = dash(part[3]);
    message = part[4].startsWith("- ") ? part[4].substring(2) : part[4];
    return true;
  }

  private static @Nullable String dash(String value) {
    return value.equals("-") ? null : value;
  }

  /** {@code [time] [level] ...} of Apache, the JVM's unified log and others. */
  private boolean bracketed(String s) {
    if (!time.scan(s, 1) || time.end() >= s.length() || s.charAt(time.end()) != ']') {
      return false;
    }
    found();
    rest(s, time.end() + 1);
    return true;
  }

  private boolean leadingTime(String s, int from) {
    if (!time.scan(s, from)) {
      return false;
    }
    int end = time.end();
    if (end < s.length() && Character.isLetterOrDigit(s.charAt(end))) {
      return false;
    }
    found();
    char first = s.charAt(from);
    if ("IWEF".indexOf(first) >= 0
        && from + 1 < s.length()
        && Character.isDigit(s.charAt(from + 1))) {
      level = Level.ofLetter(first);
      int at = skipSpaces(s, end);
      int pidEnd = digitsEnd(s, at);
      if (pidEnd > at) {
        pid = s.substring(at, pidEnd);
        at = skipSpaces(s, pidEnd);
      }
      message = s.substring(at);
    } else if (Character.isLetter(first) && end - from <= 15) {
      syslogTail(s, skipSpaces(s, end));
    } else if (s.startsWith(" stdout ", end) || s.startsWith(" stderr ", end)) {
      tag = s.substring(end + 1, end + 7);
      int at = end + 8;
      rest(s, s.startsWith("F ", at) || s.startsWith("P ", at) ? at + 2 : at);
    } else {
      rest(s, end);
    }
    return true;
  }

  /** {@code host process[pid]: message}; the process may be missing. */
  private void syslogTail(String s, int at) {
    int hostEnd = s.indexOf(' ', at);
    if (hostEnd < 0) {
      message = s.substring(at);
      return;
    }
    host = s.substring(at, hostEnd);
    int start = skipSpaces(s, hostEnd);
    int colon = s.indexOf(": ", start);
    int space = s.indexOf(' ', start);
    if (colon < 0 && s.endsWith(":")) {
      colon = s.length() - 1;
    }
    if (colon > 0 && (space < 0 || colon < space)) {
      int open = s.lastIndexOf('[', colon);
      boolean hasPid = open > start && s.charAt(colon - 1) == ']';
      process = s.substring(start, hasPid ? open : colon);
      pid = hasPid ? s.substring(open + 1, colon - 1) : null;
      start = skipSpaces(s, colon + 1);
    }
    message = s.substring(start);
    levelAt(s, start);
  }

  /** {@code LABEL 1117838570 2005.06.03 HOST ...} of the supercomputer logs; "-" is no label. */
  private boolean labelled(String s) {
    int space = s.indexOf(' ');
    if (space < 1 || digitsEnd(s, space + 1) != space + 11 || !time.scan(s, space + 1)) {
      return false;
    }
    found();
    tag = dash(s.substring(0, space));
    int at = skipSpaces(s, time.end());
    if (at + 10 < s.length() && s.charAt(at + 4) == '.' && s.charAt(at + 7) == '.') {
      at = skipSpaces(s, at + 10);
      int hostEnd = s.indexOf(' ', at);
      if (hostEnd > 0) {
        host = s.substring(at, hostEnd);
      }
    }
    message = s.substring(at);
    levelAt(s, at);
    return true;
  }

  /** Common and combined log format; the whole line stays the message. */
  private boolean access(String s) {
    int open = s.indexOf(" [");
    if (open < 0 || open > 256 || !time.scan(s, open + 2)) {
      return false;
    }
    int end = time.end();
    if (!s.startsWith("] \"", end)) {
      return false;
    }
    found();
    client = s.substring(0, s.indexOf(' '));
    int space = s.indexOf(' ', end + 3);
    int quote = s.indexOf("\" ", end + 3);
    if (space > 0 && space < quote) {
      method = s.substring(end + 3, space);
    }
    if (quote > 0) {
      int statusEnd = digitsEnd(s, quote + 2);
      if (statusEnd == quote + 5) {
        status = Integer.parseInt(s, quote + 2, statusEnd, 10);
        int bytesEnd = digitsEnd(s, statusEnd + 1);
        if (bytesEnd > statusEnd + 1 && bytesEnd - statusEnd < 18) {
          bytes = Long.parseLong(s, statusEnd + 1, bytesEnd, 10);
        }
      }
    }
    return true;
  }

  /** logfmt: {@code time=... level=... msg=...}; the whole line stays the message. */
  private boolean keyValue(String s) {
    for (String key : new String[] {"time=", "ts=", "timestamp=", "t="}) {
      int at = s.startsWith(key) ? 0 : s.indexOf(" " + key) + 1;
      if (at > 0 || s.startsWith(key)) {
        int from = at + key.length();
        if (time.scan(s, from < s.length() && s.charAt(from) == '"' ? from + 1 : from)) {
          found();
          keyedLevel(s);
          return true;
        }
      }
    }
    return false;
  }

  private void keyedLevel(String s) {
    for (String key : new String[] {"level=", "lvl=", "severity="}) {
      int at = s.indexOf(key);
      if (at == 0 || (at > 0 && s.charAt(at - 1) == ' ')) {
        int from = at + key.length();
        int end = from;
        while (end < s.length() && " \",".indexOf(s.charAt(end)) < 0
            || end == from && end < s.length()) {
          end++;
        }
        level = Level.of(s.substring(from, end).replace("\"", ""));
        return;
      }
    }
  }

  /** A file or program name before the time, as some collectors write it. */
  private boolean secondToken(String s) {
    int space = s.indexOf(' ');
    if (space < 1 || space > 128 || !time.scan(s, skipSpaces(s, space))) {
      return false;
    }
    found();
    tag = s.substring(0, space);
    rest(s, time.end());
    return true;
  }

  /** What follows the time: maybe a pid, maybe a level, then the message. */
  private void rest(String s, int at) {
    at = skipPunctuation(s, at);
    int number = digitsEnd(s, at);
    if (number > at && number < s.length() && s.charAt(number) == ' ') {
      int after = levelAt(s, skipSpaces(s, number));
      if (after > 0) {
        pid = s.substring(at, number);
        message = s.substring(after);
        return;
      }
    }
    int after = levelAt(s, at);
    message = s.substring(after > 0 ? after : Math.min(at, s.length()));
    if (level == null) {
      keyedLevel(s);
    }
  }

  /**
   * Looks for a level in the words from here on.
   *
   * @return where the message starts when the level is the first word, otherwise 0
   */
  private int levelAt(String s, int from) {
    int limit = Math.min(s.length(), from + LEVEL_REACH);
    int at = from;
    for (int word = 0; word < 8 && at < limit; word++) {
      int start = at;
      while (start < limit && !Character.isLetterOrDigit(s.charAt(start))) {
        start++;
      }
      int end = start;
      while (end < limit && Character.isLetter(s.charAt(end))) {
        end++;
      }
      if (end > start && isLevel(s, start, end, limit)) {
        level = Level.of(s.substring(start, end));
        boolean opens = word == 0 && start - from <= 3;
        return opens ? afterLevel(s, end) : 0;
      }
      at = end;
      while (at < limit && " [(|:".indexOf(s.charAt(at)) < 0) {
        at++;
      }
    }
    return 0;
  }

  /** Small letters count only between brackets or before a colon: "error" is also a word. */
  private static boolean isLevel(String s, int start, int end, int limit) {
    if (Level.of(s.substring(start, end)) == null) {
      return false;
    }
    char before = start == 0 ? ' ' : s.charAt(start - 1);
    char after = end >= s.length() ? ' ' : s.charAt(end);
    boolean capitals = Character.isUpperCase(s.charAt(start + 1));
    boolean bounded = " [(|<:".indexOf(before) >= 0 && " ])|>:,-".indexOf(after) >= 0;
    boolean fenced =
        (before == '[' || before == ':' || before == '<') && (after == ']' || after == '>');
    return bounded && end < limit + 1 && (capitals || fenced || (after == ':' && start > 0));
  }

  private static int afterLevel(String s, int end) {
    int at = end;
    while (at < s.length() && "])>|:".indexOf(s.charAt(at)) >= 0) {
      at++;
    }
    return skipPunctuation(s, at);
  }

  private static int skipSpaces(String s, int at) {
    while (at < s.length() && (s.charAt(at) == ' ' || s.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  /** Spaces, and a lone dash, bar or colon between them. */
  private static int skipPunctuation(String s, int at) {
    int i = at < s.length() && s.charAt(at) == ':' ? at + 1 : at;
    i = skipSpaces(s, i);
    if (i + 1 < s.length() && "-|:".indexOf(s.charAt(i)) >= 0 && s.charAt(i + 1) == ' ') {
      i = skipSpaces(s, i + 1);
    }
    return i;
  }

  private static int digitsEnd(String s, int at) {
    while (at < s.length() && s.charAt(at) >= '0' && s.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  /**
   * Writes the fields before the message: {@code {"@timestamp":...,"level":...,} and so on.
   *
   * @param otherwise the time of a line without one, milliseconds since 1970
   */
  void writeFields(JsonBuffer out, long otherwise) {
    out.raw("{\"@timestamp\":\"").instant(timed ? millis : otherwise).raw('"');
    field(out, "level", level);
    field(out, "host", host);
    field(out, "process", process);
    field(out, "pid", pid);
    field(out, "tag", tag);
    field(out, "client", client);
    field(out, "method", method);
    if (status >= 0) {
      out.raw(",\"status\":").number(status);
    }
    if (bytes >= 0) {
      out.raw(",\"bytes\":").number(bytes);
    }
  }

  private static void field(JsonBuffer out, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      out.raw(",\"").raw(name).raw("\":").quoted(value);
    }
  }
}
