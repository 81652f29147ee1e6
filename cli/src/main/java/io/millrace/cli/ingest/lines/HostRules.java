package io.millrace.cli.ingest.lines;

/**
 * Host, program and process id behind a time, as syslog daemons write them: {@code host prog[pid]:
 * message}. Any of the three may be missing, and a message may look like one of them.
 */
final class HostRules {
  /** A name cannot be longer: RFC 1035. */
  private static final int LONGEST = 255;

  private static final int LONGEST_PROGRAM = 64;

  /**
   * After {@code May 6 10:11:12}, where a host is the rule.
   *
   * @return where the message starts, or -1 when there is no host and no program
   */
  int afterClassicTime(ParsedLine out, int end) {
    String s = out.line();
    int at = facility(out, Text.spaces(s, end));
    int hostEnd = hostEnd(s, at);
    int program = program(out, at, false);
    if (program > 0) {
      return program; // "Nov 20 22:13:05 su: x": a program that its daemon wrote without a host
    }
    if (hostEnd < 0 || at == end) {
      return -1;
    }
    int next = Text.spaces(s, hostEnd);
    int idEnd = idEnd(s, next);
    if (idEnd > 0 && s.startsWith(":", idEnd)) {
      out.span("process", at, hostEnd); // "Mar 24 08:58:32 sogod [26818]: x"
      out.span("pid", next + 1, idEnd - 1);
      return Text.spaces(s, idEnd + 1);
    }
    out.span("host", at, hostEnd);
    int start = severity(out, facility(out, next));
    int message = program(out, start, true);
    if (message < 0) {
      message = bareProgram(out, start);
    }
    return message > 0 ? message : start;
  }

  /**
   * After {@code [May 6 10:11:12]}, where a host is the exception: a facility before it, or a
   * program with its id behind it, proves it.
   */
  int afterFencedTime(ParsedLine out, int end) {
    String s = out.line();
    int first = Text.spaces(s, end);
    int at = facility(out, first);
    int hostEnd = hostEnd(s, at);
    int start = hostEnd < 0 ? -1 : Text.spaces(s, hostEnd);
    int colon = start < 0 ? -1 : programEnd(s, start, false);
    boolean proved = at > first ? colon > 0 : colon > 0 && s.charAt(colon - 1) == ']';
    if (!proved && (start < 0 || bareEnd(s, start) < 0)) {
      return -1;
    }
    out.span("host", at, hostEnd);
    return proved ? program(out, start, false) : bareProgram(out, start);
  }

  /** Where {@code [123]} that starts here ends, or -1. */
  private static int idEnd(String s, int at) {
    int digits = s.startsWith("[", at) ? Text.digits(s, at + 1) : -1;
    return digits > at + 1 && s.startsWith("]", digits) ? digits + 1 : -1;
  }

  /** Where {@code prog[123]} without a colon ends, or -1. */
  private static int bareEnd(String s, int at) {
    int space = s.indexOf(' ', at);
    int open = space < 0 ? -1 : s.lastIndexOf('[', space);
    boolean named = open > at && open - at <= LONGEST_PROGRAM && s.charAt(at) != '[';
    return named && idEnd(s, open) == space ? space : -1;
  }

  private static int bareProgram(ParsedLine out, int at) {
    String s = out.line();
    int end = bareEnd(s, at);
    if (end < 0) {
      return -1;
    }
    int open = s.lastIndexOf('[', end);
    out.span("process", at, open);
    out.span("pid", open + 1, end - 1);
    return Text.spaces(s, end);
  }

  /** After an ISO time, where a host is the exception: only a program behind it proves it. */
  int afterIsoTime(ParsedLine out, int end) {
    String s = out.line();
    if (end >= s.length() || s.charAt(end) != ' ') {
      return -1;
    }
    int first = Text.spaces(s, end);
    int at = facility(out, first);
    int hostEnd = hostEnd(s, at);
    if (at == first && (hostEnd < 0 || hostEnd + 1 >= s.length())) {
      return at == end + 1 ? programWithId(out, at) : -1;
    }
    int alone = at == first ? -1 : program(out, at, false);
    if (alone > 0 || hostEnd < 0) {
      return alone > 0 ? alone : at;
    }
    int start = facility(out, hostEnd + 1);
    int colon = programEnd(s, start, false);
    boolean id = colon > 0 && (s.charAt(colon - 1) == ']' || s.charAt(start) == '%');
    boolean kernel = s.startsWith("kernel:", start);
    if (colon < 0
        || !id && !kernel && isText(s, at, hostEnd, start)
        || (!id && !kernel && !out.timedWithZone())) {
      return -1;
    }
    int nameEnd = s.charAt(colon - 1) == ']' ? s.lastIndexOf('[', colon) : colon;
    if (nameEnd < start || Level.of(s.substring(start, nameEnd)) != null) {
      return -1;
    }
    out.span("host", at, hostEnd);
    return program(out, start, false);
  }

  /**
   * Whether two words before a colon are text and no host with its program: {@code usb 1-1:},
   * {@code START RequestId:}, {@code Puppet (err):}.
   */
  private static boolean isText(String s, int host, int hostEnd, int program) {
    char first = s.charAt(program);
    boolean capitals = true;
    for (int i = host; i < hostEnd; i++) {
      capitals &= Character.isUpperCase(s.charAt(i));
    }
    return first == '(' || Character.isDigit(first) || capitals && Character.isUpperCase(first);
  }

  /**
   * Whether a header of RFC 5424 goes on here, behind its time: host, application, process id,
   * message id, and structured data or a dash. Relays write it without its priority.
   */
  static boolean isHeader5424(String s, int end) {
    int at = end;
    for (int word = 0; word < 4; word++) {
      int from = at + 1;
      at = s.startsWith(" ", at) ? s.indexOf(' ', from) : -1;
      boolean id = word == 2 && Text.digits(s, from) != at;
      if (at <= from || id && !s.startsWith("- ", from)) {
        return false;
      }
    }
    int open = at + 1;
    int space = s.indexOf(' ', open);
    return s.startsWith("- ", open)
        || s.startsWith("[", open) && space > 0 && s.substring(open, space).indexOf('@') > 0;
  }

  /** Steps over facility and severity, where a daemon writes them as words. */
  private static int facility(ParsedLine out, int at) {
    String s = out.line();
    int end = s.indexOf(' ', at);
    boolean fenced = end > at + 1 && s.charAt(at) == '<' && s.charAt(end - 1) == '>';
    String level =
        end <= at || end - at > 24
            ? null
            : Facility.level(s, fenced ? at + 1 : at, fenced ? end - 1 : end);
    if (level == null && fenced) {
      level = Facility.ofNumbers(s, at + 1, end - 1);
    }
    if (level == null) {
      return at;
    }
    out.level(level);
    return Text.spaces(s, end);
  }

  private int programWithId(ParsedLine out, int at) {
    String s = out.line();
    int colon = programEnd(s, at, false);
    return colon > 0 && s.charAt(colon - 1) == ']' && s.charAt(at) != '['
        ? program(out, at, false)
        : -1;
  }

  /** The end of a word that can be a host's name, or -1. */
  private static int hostEnd(String s, int at) {
    int i = at;
    while (i < s.length() && i - at <= LONGEST && s.charAt(i) != ' ') {
      char c = s.charAt(i);
      if (!Character.isLetterOrDigit(c) && "-._:/@%".indexOf(c) < 0) {
        return -1;
      }
      i++;
    }
    if (i == at
        || i == s.length()
        || !Character.isLetterOrDigit(s.charAt(at)) && s.charAt(at) != ':') {
      return -1;
    }
    boolean number = Text.digits(s, at) == i;
    return number || s.charAt(i - 1) == ':' || Level.of(s.substring(at, i)) != null ? -1 : i;
  }

  /** Where the colon behind a program and its id stands, or -1. */
  private static int programEnd(String s, int at, boolean words) {
    int limit = Math.min(s.length(), at + LONGEST_PROGRAM);
    for (int i = at; i < limit; i++) {
      char c = s.charAt(i);
      if (c == ':' && (i + 1 == s.length() || s.charAt(i + 1) == ' ')) {
        return i > at && !words ? i : i > at && s.charAt(i - 1) == ']' ? i : -1;
      }
      if (c == ' ' && !words || c == '"' || c == '=') {
        return -1;
      }
    }
    return -1;
  }

  /** Steps back over {@code (info)} of {@code krb5kdc[77](info):}. */
  private static int levelBehindId(ParsedLine out, int at, int colon) {
    String s = out.line();
    int open = s.charAt(colon - 1) == ')' ? s.lastIndexOf('(', colon) : -1;
    String level =
        open > at + 1 && s.charAt(open - 1) == ']'
            ? Level.of(s.substring(open + 1, colon - 1))
            : null;
    out.level(level);
    return level == null ? colon : open;
  }

  /** Steps over a severity that stands before its program: {@code host notice cron[77]: x}. */
  private static int severity(ParsedLine out, int at) {
    String s = out.line();
    int end = TimeWords.wordEnd(s, at);
    boolean word = end > at + 2 && s.startsWith(" ", end) && Character.isLowerCase(s.charAt(at));
    int colon = word ? programEnd(s, end + 1, false) : -1;
    boolean id = colon > 0 && s.charAt(colon - 1) == ']';
    String level = id ? Level.of(s.substring(at, end)) : null;
    if (level == null) {
      return at;
    }
    out.level(level);
    return end + 1;
  }

  /** Reads {@code prog[pid]:} and returns where the message starts, or -1. */
  private static int program(ParsedLine out, int at, boolean words) {
    String s = out.line();
    int colon = programEnd(s, at, false);
    if (colon < 0 && words) {
      colon = programEnd(s, at, true);
    }
    if (colon < 0) {
      return -1;
    }
    int end = levelBehindId(out, at, colon);
    int open = s.lastIndexOf('[', end);
    boolean id = open > at && s.charAt(end - 1) == ']';
    String level = id ? Level.of(s.substring(open + 1, end - 1)) : null;
    if (level != null) {
      out.level(level); // "util.py[DEBUG]:" of cloud-init
      id = false;
    }
    out.span("process", at, id || level != null ? open : end);
    if (id) {
      out.span("pid", open + 1, end - 1);
    }
    return Text.spaces(s, colon + 1);
  }
}
