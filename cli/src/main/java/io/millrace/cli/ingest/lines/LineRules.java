package io.millrace.cli.ingest.lines;

/**
 * Takes a line of no known format apart by rules that most logs keep: a time at the front or within
 * the first words, then a host and a program, a process id, a level, and the message.
 *
 * <p>What is taken out of the message is in a field or in the layout. A line of no known shape
 * keeps its whole text as the message.
 */
final class LineRules {
  private static final int TIME_REACH = 200;
  private static final int TIME_WORDS = 16;
  private static final String[] FIELDS_5424 = {"host", "process", "pid", "tag"};
  private final TimeScanner time;
  private final LevelFinder levels = new LevelFinder();
  private final HostRules hosts = new HostRules();
  private final KeyValues pairs;
  private int epochWord = -1;

  LineRules(TimeScanner time) {
    this.time = time;
    this.pairs = new KeyValues(time);
  }

  /** In which word of the lines of this file seconds since 1970 stand, from 0; -1 in none. */
  void epochWord(int word) {
    epochWord = word;
  }

  void parse(ParsedLine out) {
    String s = out.line();
    int start = Text.spaces(s, 0);
    if (start == s.length()) {
      return;
    }
    if (start == 0 && (priority(out, octets(s)) || bareVersion(out))) {
      out.reader("rule: syslog with a priority");
    } else if (start <= 8 && opening(out, start)) {
      out.reader("rule: the time comes first");
    } else if (start > 0 && !levelled(s, start)) {
      out.reader("rule: no time");
    } else if (pairs.parse(out, 0, false)) {
      out.reader("rule: key=value");
    } else if (labelled(out) || column(out) || access(out) || within(out)) {
      out.reader("rule: the time is within the line");
    } else if (pairs.parse(out, 0, true)) {
      out.reader("rule: key=value without a time");
    } else {
      out.reader("rule: no time");
      int rest = levels.find(out, start);
      out.message(rest);
    }
  }

  /** {@code " INFO "}: a level that was padded to five characters, and no line that goes on. */
  private static boolean levelled(String s, int start) {
    int end = TimeWords.wordEnd(s, start);
    return start == 1
        && end == 5
        && end < s.length()
        && " [|".indexOf(s.charAt(end)) >= 0
        && Character.isUpperCase(s.charAt(2))
        && Level.of(s.substring(1, 5)) != null;
  }

  /** {@code 1 2024-05-06T10:11:12Z fw1 app 77 - [...]}: RFC 5424 without its priority. */
  private boolean bareVersion(ParsedLine out) {
    String s = out.line();
    if (!s.startsWith("1 ") || !time.scan(s, 2) || !time.zoned) {
      return false;
    }
    int at = time.end();
    for (int word = 0; word < 4 && at > 0; word++) {
      at = s.indexOf(' ', at + 1);
    }
    return at > 0 && (s.startsWith(" -", at) || s.startsWith(" [", at)) && rfc5424(out, 2);
  }

  /** Where the priority of a syslog message stands: behind its length, when that is given. */
  private static int octets(String s) {
    int end = Text.digits(s, 0);
    return end > 0 && end < 6 && s.startsWith(" <", end) ? end + 1 : 0;
  }

  private boolean priority(ParsedLine out, int open) {
    String s = out.line();
    int close = s.charAt(open) == '<' ? s.indexOf('>', open) : -1;
    if (close < open + 2 || close > open + 4 || Text.digits(s, open + 1) != close) {
      return false;
    }
    int after = close + 1;
    boolean version = s.startsWith("1 ", after);
    String level = Level.ofPriority(Integer.parseInt(s, open + 1, close, 10));
    levels.reset();
    if (version && rfc5424(out, after + 2)
        || !version
            && (opening(out, after) || sequence(out, after) || pairs.parse(out, after, false))) {
      if (levels.quiet()) {
        out.noLevel(); // "<13>May  6 10:11:12 web1 app: error in": the priority knows better
      }
      out.level(level);
      return true;
    }
    out.level(level);
    out.message(after);
    return !version;
  }

  /** Cisco: {@code 000123: Mar 1 18:46:11 ...}. */
  private boolean sequence(ParsedLine out, int from) {
    String s = out.line();
    int end = Text.digits(s, from);
    return end > from && s.startsWith(": ", end) && opening(out, end + 2);
  }

  /** After the version: time, host, application, process id, message id, structured data. */
  private boolean rfc5424(ParsedLine out, int at) {
    String s = out.line();
    if (s.startsWith("- ", at)) {
      at++;
    } else if (time.scan(s, at)) {
      out.time(time, at);
      at = time.end();
    } else {
      return false;
    }
    header5424(out, at);
    return true;
  }

  /** Host, application, process id, message id and structured data, a dash for each that lacks. */
  private void header5424(ParsedLine out, int timeEnd) {
    String s = out.line();
    int at = timeEnd;
    for (String name : FIELDS_5424) {
      int from = Text.spaces(s, at);
      int end = s.indexOf(' ', from);
      if (end < 0) {
        out.message(from);
        return;
      }
      if (end - from > 1 || s.charAt(from) != '-') {
        out.span(name, from, end);
      }
      at = end;
    }
    at = Text.spaces(s, at);
    out.message(s.startsWith("- ", at) ? at + 2 : at);
  }

  /** A time at the front, or between brackets or quotes there. */
  private boolean opening(ParsedLine out, int start) {
    String s = out.line();
    int at = start;
    while (at < s.length() && at - start < 5 && "[<(\"'#*%. ".indexOf(s.charAt(at)) >= 0) {
      at++;
    }
    at += s.startsWith("--", at) ? 2 : 0; // wget
    if (at >= s.length()) {
      return false;
    }
    boolean scanned = time.scan(s, at);
    if (!scanned && !time.scanClock(s, at)) {
      return false;
    }
    int end = time.end();
    if (end < s.length() && Character.isLetterOrDigit(s.charAt(end))) {
      return false;
    }
    boolean bracket = at > start && "[<(\"'".indexOf(s.charAt(at - 1)) >= 0;
    char first = s.charAt(at);
    out.time(time, at);
    if (bracket) {
      int after = end < s.length() && "]>)\"'".indexOf(s.charAt(end)) >= 0 ? end + 1 : end;
      if (after == end && levels.letter(out, Text.spaces(s, end)) > 0) {
        out.message(Text.spaces(s, end)); // "[2024-05-06 10:11:12,345 I 12 12] x" of Ray
        return true;
      }
      LevelFinder.klog(out, at);
      boolean yearless = Character.isLetter(first) && time.dated() && time.dateGuessed();
      int message = yearless ? hosts.afterFencedTime(out, after) : -1;
      tail(out, message >= 0 ? message : after, message >= 0);
    } else if (Character.isLetter(first)
        && at + 1 < s.length()
        && Character.isDigit(s.charAt(at + 1))) {
      klog(out, first, end);
    } else if (s.startsWith(" stdout ", end) || s.startsWith(" stderr ", end)) {
      out.span("tag", end + 1, end + 7);
      container(out, end + 8);
    } else if (Character.isLetter(first)
        && time.dated()
        && (time.dateGuessed() || start > 0 && s.charAt(start - 1) == '>')) {
      int message = hosts.afterClassicTime(out, end);
      tail(out, message >= 0 ? message : end, message >= 0);
    } else if (time.zoned && HostRules.isHeader5424(s, end)) {
      header5424(out, end);
      levels.find(out, end);
      if (out.level() == null) {
        pairs.level(out, end);
      }
    } else {
      int message = time.zoned || time.dated() ? hosts.afterIsoTime(out, end) : -1;
      tail(out, message >= 0 ? message : end, message >= 0);
    }
    return true;
  }

  /** Behind the stream that a container's line came from. */
  private void container(ParsedLine out, int at) {
    String s = out.line();
    out.partial(s.startsWith("P ", at));
    int text = s.startsWith("F ", at) || s.startsWith("P ", at) ? at + 2 : at;
    if (text < s.length() && EventLines.continues(s.substring(text))) {
      out.goesOn();
      out.message(text);
    } else {
      rest(out, text);
    }
  }

  private void tail(ParsedLine out, int at, boolean host) {
    if (host) {
      out.message(at);
      String process = out.field("process");
      if (process != null && process.startsWith("%")) {
        levels.mnemonic(out, out.line().indexOf(process));
      }
      if (out.level() == null) {
        levels.carried(out, at);
      }
      if (out.level() == null) {
        levels.find(out, at);
      }
      if (out.level() == null) {
        pairs.level(out, at);
      }
    } else {
      rest(out, at);
    }
  }

  private static void klog(ParsedLine out, char letter, int end) {
    String s = out.line();
    out.level(Level.ofLetter(letter));
    int at = Text.spaces(s, end);
    int pidEnd = Text.digits(s, at);
    if (pidEnd > at) {
      out.span("pid", at, pidEnd);
      at = Text.spaces(s, pidEnd);
    }
    out.message(at);
  }

  /** Seconds since 1970 in the word where this file has them; the whole line stays the message. */
  private boolean column(ParsedLine out) {
    if (epochWord < 0) {
      return false;
    }
    int at = Text.word(out.line(), epochWord);
    if (at < 0 || !time.scanEpoch(out.line(), at)) {
      return false;
    }
    out.time(time);
    levels.find(out, 0);
    return true;
  }

  /** {@code LABEL 1117838570 2005.06.03 HOST ...} of the supercomputer logs; "-" is no label. */
  private boolean labelled(ParsedLine out) {
    String s = out.line();
    int space = s.indexOf(' ');
    if (space < 1 || Text.digits(s, space + 1) != space + 11 || !time.scanEpoch(s, space + 1)) {
      return false;
    }
    int at = Text.spaces(s, time.end());
    boolean date = at + 10 < s.length() && s.charAt(at + 4) == '.' && s.charAt(at + 7) == '.';
    int hostAt = date ? Text.spaces(s, at + 10) : -1;
    int hostEnd = date ? s.indexOf(' ', hostAt) : -1;
    if (hostEnd < 0) {
      return false;
    }
    out.time(time, space + 1);
    if (space > 1 || s.charAt(0) != '-') {
      out.span("tag", 0, space);
    }
    out.span("host", hostAt, hostEnd);
    out.message(Text.spaces(s, hostEnd));
    levels.find(out, hostEnd);
    return true;
  }

  /** Common and combined log format, with a virtual host or not; the line stays the message. */
  private boolean access(ParsedLine out) {
    String s = out.line();
    int open = s.indexOf(" [");
    if (open < 0 || open > 256 || !time.scan(s, open + 2) || !s.startsWith("] \"", time.end())) {
      return false;
    }
    int end = time.end();
    out.time(time);
    int space = s.indexOf(' ');
    int second = Text.spaces(s, space);
    int secondEnd = Math.max(second, s.indexOf(' ', second));
    if (!Text.isAddress(s, 0, space) && Text.isAddress(s, second, secondEnd)) {
      out.span(s.charAt(0) == '[' ? "tag" : "vhost", 0, space);
      out.span("client", second, secondEnd);
    } else {
      out.span("client", 0, space);
    }
    AccessRequest.read(out, end + 2);
    return true;
  }

  /** A time with a date within the first words. */
  private boolean within(ParsedLine out) {
    String s = out.line();
    int limit = Math.min(s.length(), TIME_REACH);
    int words = 0;
    for (int i = 1; i < limit && words < TIME_WORDS; i++) {
      char before = s.charAt(i - 1);
      // "<W>2024-05-06 10:11:12 x", "Thread-15::DEBUG::2024-05-06 10:11:12,345::x"
      boolean closing =
          "])>".indexOf(before) >= 0
              || before == ':'
                  && i > 1
                  && (!Character.isDigit(s.charAt(i - 2)) || Character.isLetter(s.charAt(i)));
      if (!closing && " \t|;,[({<!\"'=".indexOf(before) < 0) {
        continue;
      }
      char c = s.charAt(i);
      words += closing || c == '=' || "{!".indexOf(before) >= 0 ? 0 : 1; // a bar of them is no word
      boolean id = before == '[' && i > 1 && Character.isLetterOrDigit(s.charAt(i - 2));
      boolean count = "[(".indexOf(before) >= 0 && !id || before == '=' && isTimeKey(s, i - 1);
      boolean epoch = count && time.scanEpoch(s, i);
      if (epoch || (Character.isLetterOrDigit(c) && time.scan(s, i) && dated(s, i))) {
        if (before == ' ' && s.startsWith("[pod/") && s.indexOf(' ') == i - 1) {
          out.time(time, i);
          out.span("tag", 0, i - 1);
          container(out, Math.min(s.length(), time.end() + 1));
          return true;
        }
        LevelFinder.before(out, i);
        if (words == 1 && before == ' ' && !epoch && out.level() == null) {
          out.time(time, i);
          out.span("tag", 0, i - 1);
          rest(out, time.end());
        } else {
          out.time(time);
          LevelFinder.klog(out, i);
          if (out.level() == null) {
            levels.find(out, 0);
          }
          if (out.level() == null) {
            levels.find(out, time.end());
          }
          if (out.level() == null) {
            levels.fenced(out, 0);
          }
          if (out.level() == null && before == '=') {
            pairs.level(out, 0);
          }
        }
        return true;
      }
    }
    return false;
  }

  /** {@code time=1714990272345,level=warn}. */
  private static boolean isTimeKey(String s, int end) {
    int start = end;
    while (start > 0 && Character.isLetter(s.charAt(start - 1))) {
      start--;
    }
    return KnownNames.rank(KnownNames.Role.TIME, s.substring(start, end)) != KnownNames.UNKNOWN;
  }

  /** Within a line a bare number is no time, and neither is a date that runs on. */
  private boolean dated(String s, int from) {
    int end = time.end();
    boolean bare = Text.digits(s, from) - from >= 10 && Text.digits(s, from) - from != 14;
    return !bare && (end >= s.length() || !Character.isLetterOrDigit(s.charAt(end)));
  }

  /** What follows the time: maybe process and thread ids, maybe a level, then the message. */
  private void rest(ParsedLine out, int from) {
    String s = out.line();
    int at = Text.punctuation(s, from);
    int number = Text.digits(s, at);
    if (number > at && number < s.length() && s.charAt(number) == ' ') {
      int next = Text.spaces(s, number);
      int thread = Text.digits(s, next);
      boolean twoIds = thread > next && thread < s.length() && s.charAt(thread) == ' ';
      int word = twoIds ? Text.spaces(s, thread) : next;
      int after = levels.letter(out, word);
      if (after < 0) {
        after = twoIds ? 0 : levels.find(out, word);
      }
      if (after > 0) {
        out.span("pid", at, number);
        if (twoIds) {
          out.span("thread", next, thread);
        }
        out.message(after);
        return;
      }
    }
    int after = levels.fenced(out, at);
    if (after < 0) {
      after = levels.find(out, at);
    }
    out.message(after > 0 ? after : Math.min(at, s.length()));
    if (out.level() == null) {
      levels.carried(out, at);
    }
    if (out.level() == null) {
      pairs.level(out, at);
    }
  }
}
