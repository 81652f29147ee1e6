package io.millrace.cli.ingest.lines;

/** Finds the level in the first words of a text. */
final class LevelFinder {
  private static final int REACH = 120;
  private static final int WORDS = 16;
  private static final String[] COMMON = {
    "ALERT", "FAILURE", "CONFIG", "NOTE", "FINE", "SUCCESS", "DEPRECATED", "LIFECYCLE"
  };
  private static final int MNEMONIC_REACH = 100;

  /** Whether the last level is a small word without a sign at it: "info about". */
  private boolean quiet;

  /** Whether the level that {@link #find} found last may as well be a word of its text. */
  boolean quiet() {
    return quiet;
  }

  /** Forgets what was found in another line. */
  void reset() {
    quiet = false;
  }

  /**
   * Looks for a level in the words from here on.
   *
   * @return where the message starts when the level is the first word, otherwise 0
   */
  int find(ParsedLine out, int from) {
    String s = out.line();
    int limit = Math.min(s.length(), from + REACH);
    int at = from;
    for (int word = 0; word < WORDS && at < limit; word++) {
      int start = at;
      while (start < limit && !Character.isLetterOrDigit(s.charAt(start))) {
        start++;
      }
      int end = start;
      while (end < limit && Character.isLetter(s.charAt(end))) {
        end++;
      }
      if (end > start) {
        boolean opens = word == 0 && start - from <= 3;
        if (fits(s, start, end, opens)) {
          String level = Level.of(s.substring(start, end));
          if (level != null) {
            out.level(level);
            quiet =
                Character.isLowerCase(s.charAt(start)) && isSpace(s, end) && isSpace(s, start - 1);
            boolean ends = end >= s.length() || "[/;\"'".indexOf(s.charAt(end)) < 0;
            return opens && ends && !quiet ? after(s, end) : 0;
          }
        }
      }
      if (end == start + 1 && isLetterAlone(s, start)) {
        out.level(Level.ofLetter(s.charAt(start)));
        return 0;
      }
      at = end;
      while (at < limit && " [()|:,.\t/<#".indexOf(s.charAt(at)) < 0) {
        at++;
      }
    }
    return 0;
  }

  /** {@code cmd/web.go:107:runWeb() [I] x}: a letter between brackets, and those between spaces. */
  private static boolean isLetterAlone(String s, int at) {
    return s.startsWith(" [", at - 2)
        && s.startsWith("] ", at + 1)
        && Level.ofLetter(s.charAt(at)) != null;
  }

  private static boolean isSpace(String s, int at) {
    return at < 0 || at >= s.length() || s.charAt(at) == ' ' || s.charAt(at) == '\t';
  }

  /**
   * Whether a word stands as levels do. "error" is also a word: small letters count between
   * brackets, before a colon, and as the first word behind a time.
   */
  private static boolean fits(String s, int start, int end, boolean opens) {
    int length = end - start;
    if (length < 3 && (length < 2 || s.charAt(start) < '\u4e00') || length > 13) {
      return false;
    }
    boolean numbered = length == 5 && Text.digits(s, end) == end + 1 && isDebug(s, start);
    int behind = numbered ? end + 1 : end;
    char before = start == 0 ? ' ' : s.charAt(start - 1);
    char after = behind >= s.length() ? ' ' : s.charAt(behind);
    if (before == '#') {
      return after == ']'; // "[twisted.web.server#info]"
    }
    boolean report = before == '=' && start == 1; // "=ERROR REPORT===="
    if (!report && " [({|<:\t./,\"')".indexOf(before) < 0
        || " ])}|>:,-[\t/;\"'".indexOf(after) < 0) {
      return false;
    }
    if (opens && after == '/') {
      int word = TimeWords.wordEnd(s, end + 1);
      if (word > end + 1 && s.startsWith(": ", word)) {
        return true; // "notice/Process: x" of Icinga
      }
    }
    boolean capitals =
        Character.isUpperCase(s.charAt(start)) && Character.isUpperCase(s.charAt(start + 1))
            || Character.isIdeographic(s.charAt(start));
    if (before == '.' || before == '/' || after == '/' || before == ',') {
      return capitals || before == ',' && after == ',' || before == '.' && after == ':';
    }
    boolean fenced = "[({|<:\"'".indexOf(before) >= 0 && "])}|>\"'".indexOf(after) >= 0;
    boolean tabs = before == '\t' && after == '\t';
    boolean strong = fenced || tabs || opens && start > 0;
    boolean named =
        after == ':'
            && (capitals || !s.regionMatches(true, start, "trace", 0, length)); // "Call Trace:"
    boolean apart = capitals && s.startsWith(" - ", end) && s.startsWith(": ", start - 2);
    return strong || apart || (capitals || named) && !isCommon(s, start, end);
  }

  /** {@code DEBUG1} to {@code debug9}: levels that some programs number. */
  private static boolean isDebug(String s, int start) {
    return s.regionMatches(true, start, "debug", 0, 5)
        || s.regionMatches(true, start, "trace", 0, 5);
  }

  /** Words that mean a level in its place only: "SERVICE ALERT", "config:". */
  private static boolean isCommon(String s, int start, int end) {
    for (String word : COMMON) {
      if (end - start == word.length() && s.regionMatches(true, start, word, 0, word.length())) {
        return true;
      }
    }
    return false;
  }

  private static int after(String s, int end) {
    int at = Text.spaces(s, end);
    if (at >= s.length() || "])>".indexOf(s.charAt(at)) < 0) {
      at = end; // "[ERROR ] x" is padded, "ERROR (x)" is not
    }
    while (at < s.length() && "])>|:\t".indexOf(s.charAt(at)) >= 0) {
      at++;
    }
    return Text.punctuation(s, at);
  }

  /**
   * Looks for the level of a message that carries another program's head: {@code E0506 10:11:12.3 1
   * x.go:1]} of klog, {@code %LINK-3-UPDOWN:} of Cisco, {@code [ID 7 kern.notice]} of Solaris.
   */
  void carried(ParsedLine out, int from) {
    String s = out.line();
    if (from >= s.length()) {
      return;
    }
    if ("IWEF".indexOf(s.charAt(from)) >= 0
        && Text.digits(s, from + 1) == from + 5
        && s.startsWith(" ", from + 5)
        && Text.digits(s, from + 6) == from + 8
        && s.startsWith(":", from + 8)) {
      out.level(Level.ofLetter(s.charAt(from)));
      return;
    }
    if (s.startsWith("[ID ", from)) {
      int close = s.indexOf(']', from);
      int space = close < 0 ? -1 : s.lastIndexOf(' ', close);
      out.level(space < from + 4 ? null : Facility.level(s, space + 1, close));
      return;
    }
    int percent = s.indexOf('%', from);
    if (percent >= 0 && percent < from + MNEMONIC_REACH) {
      mnemonic(out, percent);
    }
  }

  /** {@code %FACILITY-SEVERITY-MNEMONIC:}, with a sub-facility or not. */
  void mnemonic(ParsedLine out, int percent) {
    String s = out.line();
    int at = percent + 1;
    for (int part = 0; part < 3; part++) {
      int end = at;
      while (end < s.length()
          && (s.charAt(end) >= 'A' && s.charAt(end) <= 'Z'
              || s.charAt(end) == '_'
              || Character.isDigit(s.charAt(end)))) {
        end++;
      }
      if (end == at || end >= s.length() || s.charAt(end) != '-') {
        return;
      }
      char digit = s.charAt(at);
      if (part > 0 && end == at + 1 && digit >= '0' && digit <= '7') {
        out.level(Level.ofPriority(digit - '0'));
        return;
      }
      at = end + 1;
    }
  }

  /** A letter behind process ids: {@code 1702 2395 D WindowManager: ...}. */
  int letter(ParsedLine out, int at) {
    String s = out.line();
    boolean alone = at + 1 < s.length() && (s.charAt(at + 1) == ' ' || s.charAt(at + 1) == '/');
    String level = alone ? Level.ofLetter(s.charAt(at)) : null;
    if (level == null) {
      return -1;
    }
    out.level(level);
    return Text.spaces(s, at + 2);
  }

  /** {@code NETWORK [conn1]} behind the letter of MongoDB. */
  private static boolean component(String s, int space) {
    int start = Text.spaces(s, space);
    int end = start;
    while (end < s.length() && s.charAt(end) >= 'A' && s.charAt(end) <= 'Z') {
      end++;
    }
    return end > start + 2 && s.charAt(space) == ' ' && s.startsWith("[", Text.spaces(s, end));
  }

  /**
   * Whether a letter is followed by what no prose begins with: a bracket, or a name with a sign in
   * it ({@code I server-main x}, {@code W tensorflow/core/a.cc:12] x}).
   */
  private static boolean named(String s, int at) {
    int word = at + 2;
    if (!s.startsWith(" ", at + 1)
        || word >= s.length()
        || Level.ofLetter(s.charAt(at)) == null
        || at > 0 && " \t".indexOf(s.charAt(at - 1)) < 0) {
      return false;
    }
    if (s.charAt(word) == '[') {
      return true;
    }
    if (!Character.isLetter(s.charAt(word))) {
      return false;
    }
    int end = word;
    while (end < s.length() && s.charAt(end) != ' ') {
      end++;
    }
    int name = TimeWords.wordEnd(s, word);
    return name + 1 < end && "-./_:".indexOf(s.charAt(name)) >= 0;
  }

  /** The letter that klog writes before its date. */
  static void klog(ParsedLine out, int at) {
    String s = out.line();
    if (at + 1 < s.length() && Character.isDigit(s.charAt(at + 1))) {
      out.level(Level.ofLetter(s.charAt(at)));
    }
  }

  /**
   * A level that is all that stands before a time: {@code info [2024-05-06 10:11:12]}, {@code WARN:
   * 2024/05/06 10:11:12}, or a letter: {@code [I 240506 10:11:12 web:22]}.
   */
  static void before(ParsedLine out, int time) {
    String s = out.line();
    int from = 0;
    int end = time;
    while (end > 0 && " \t[(<|:-".indexOf(s.charAt(end - 1)) >= 0) {
      end--;
    }
    while (from < end && "[(<|".indexOf(s.charAt(from)) >= 0) {
      from++;
    }
    if (TimeWords.wordEnd(s, from) == end) {
      out.level(
          end == from + 1 ? Level.ofLetter(s.charAt(from)) : Level.of(s.substring(from, end)));
    }
  }

  /**
   * A letter in brackets or between bars, or before a slash: {@code [I]}, {@code |W|}, {@code D/},
   * {@code E | }.
   */
  int fenced(ParsedLine out, int at) {
    String s = out.line();
    if (at + 2 >= s.length()) {
      return -1;
    }
    char first = s.charAt(at);
    boolean bracket = "[(|<".indexOf(first) >= 0;
    int letter = bracket ? at + 1 : at;
    if (s.startsWith("! ", at + 1) && Level.ofLetter(first) != null) {
      out.level(Level.ofLetter(first)); // "W! slow" of Telegraf
      return at + 3;
    }
    if (component(s, at + 1) && Level.ofLetter(first) != null) {
      out.level(Level.ofLetter(first));
      return at + 2;
    }
    if (named(s, at)) {
      out.level(Level.ofLetter(first));
      return at + 2;
    }
    boolean bar = s.startsWith(" | ", at + 1);
    boolean closed =
        bracket ? "])|>".indexOf(s.charAt(at + 2)) >= 0 : bar || s.charAt(at + 1) == '/';
    String level = closed ? Level.ofLetter(s.charAt(letter)) : null;
    if (level == null || !bracket && !bar && !Character.isLetter(s.charAt(at + 2))) {
      return -1;
    }
    out.level(level);
    return bracket ? Text.punctuation(s, at + 3) : bar ? at + 4 : at + 2;
  }
}
