package io.millrace.cli.ingest.lines;

/** Which lines belong to the event before them, whatever the format. */
public final class EventLines {
  private static final String[] STARTS = {
    "Caused by: ",
    "Suppressed: ",
    "Traceback (",
    "...",
    "--- End of ",
    "---> ",
    "Stack trace:",
    "[stacktrace]",
    "[previous exception]",
    "\"}",
    "** (",
    "goroutine ",
    "created by ",
    "stack backtrace:",
    "stack traceback:",
    "note: run with `RUST_BACKTRACE",
    "note: Some details are omitted, run with",
    "<asynchronous suspension>",
    "During handling of the above exception",
    "The above exception was the direct cause"
  };

  private EventLines() {}

  /** Whether a line goes on with the event before it: stack traces, and whatever is indented. */
  public static boolean continues(String line) {
    char first = line.charAt(0);
    if (first == ' ' || first == '\t') {
      return true;
    }
    for (String start : STARTS) {
      if (line.startsWith(start)) {
        return true;
      }
    }
    if (isFrame(line) || closes(line) || isPanic(line)) {
      return true;
    }
    int end = 0;
    while (end < line.length()
        && (Character.isLetterOrDigit(line.charAt(end)) || ".$_".indexOf(line.charAt(end)) >= 0)) {
      end++;
    }
    boolean word = end == line.length() || line.charAt(end) == ':';
    return word && (ends(line, end, "Exception") || ends(line, end, "Error"));
  }

  /** Nothing but what closes brackets: the end of an object that an error was printed with. */
  private static boolean closes(String line) {
    for (int i = 0; i < line.length(); i++) {
      if ("})];,>".indexOf(line.charAt(i)) < 0) {
        return false;
      }
    }
    return line.length() < 8;
  }

  /** {@code thread 'main' panicked at src/main.rs:4:5:} of Rust. */
  private static boolean isPanic(String line) {
    return line.startsWith("thread '") && line.contains("' panicked at ");
  }

  /**
   * Whether a line without a time goes on with the one before it: the text of a panic, or the last
   * line of a Python traceback, {@code shop.cart.Empty: x}.
   */
  public static boolean follows(String line, String before) {
    if (isPanic(before)) {
      return before.endsWith(":");
    }
    if (before.isEmpty() || before.charAt(0) != ' ') {
      return false;
    }
    int end = 0;
    int dot = -1;
    while (end < line.length()
        && (Character.isLetterOrDigit(line.charAt(end)) || "._".indexOf(line.charAt(end)) >= 0)) {
      dot = line.charAt(end) == '.' ? end : dot;
      end++;
    }
    return dot > 0
        && dot + 1 < end
        && Character.isUpperCase(line.charAt(dot + 1))
        && (end == line.length() || line.startsWith(": ", end));
  }

  /**
   * A call in a stack trace that is not indented: {@code #0 /srv/x.php(7): f()}, {@code
   * main.(*Shop).sell(0xc000...)}, {@code /srv/a.rb:1:in `f'}.
   */
  private static boolean isFrame(String line) {
    if (line.charAt(0) == '#') {
      int end = Text.digits(line, 1);
      return end > 1 && end < 5 && line.startsWith(" ", end);
    }
    int open = line.indexOf('(');
    int space = line.indexOf(' ');
    if (open > 0 && line.endsWith(")") && (space < 0 || space > open)) {
      return line.contains("(0x") || line.endsWith("(...)") || line.contains("({0x");
    }
    int ruby = line.indexOf(".rb:");
    return ruby > 0 && ruby < space && line.indexOf(":in ", ruby) > 0;
  }

  private static boolean ends(String line, int end, String tail) {
    return end > tail.length() && line.startsWith(tail, end - tail.length());
  }

  /** The text without terminal control sequences (colours); the same object when it has none. */
  public static String withoutColours(String text) {
    int escape = text.indexOf('\u001b');
    if (escape < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    while (escape >= 0) {
      out.append(text, at, escape);
      at = sequenceEnd(text, escape + 1);
      escape = text.indexOf('\u001b', at);
    }
    return out.append(text, at, text.length()).toString();
  }

  /** Behind {@code ESC [ ... letter}, {@code ESC ] ... BEL} or one character. */
  private static int sequenceEnd(String text, int from) {
    if (from >= text.length()) {
      return from;
    }
    int at = from + 1;
    if (text.charAt(from) == '[') {
      while (at < text.length() && (text.charAt(at) < '@' || text.charAt(at) > '~')) {
        at++;
      }
      return Math.min(text.length(), at + 1);
    }
    if (text.charAt(from) == ']') {
      int bell = text.indexOf('\u0007', at);
      return bell < 0 ? at : bell + 1;
    }
    return at;
  }
}
