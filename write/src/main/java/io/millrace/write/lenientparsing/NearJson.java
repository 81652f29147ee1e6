package io.millrace.write.lenientparsing;

import java.util.regex.Pattern;

/**
 * JSON of text that is nearly JSON, as programs write that print it by hand.
 *
 * <p>A backslash that escapes nothing in JSON ({@code C:\Windows}, nginx's {@code \x22}) stands for
 * itself. Bare words and numbers that JSON does not know ({@code None}, {@code 007}) become
 * strings, so that they are kept as they were written; so does what stands between single quotes,
 * as Python prints a dictionary. A value that is absent is null. Whether the result is JSON, its
 * reader says.
 */
final class NearJson {
  private static final Pattern KNOWN =
      Pattern.compile("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final String STRUCTURE = "{}[]:,\"'";

  private final String text;
  private final StringBuilder out;
  private int at;

  private NearJson(String text) {
    this.text = text;
    this.out = new StringBuilder(text.length() + 16);
  }

  /** The same text, with what is named above written as JSON. */
  static String mend(String text) {
    NearJson json = new NearJson(text);
    json.mend();
    return json.out.toString();
  }

  private void mend() {
    char before = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        out.append(c);
        at++;
        continue;
      }
      if (c == '"' || c == '\'') {
        string(c);
      } else if (STRUCTURE.indexOf(c) >= 0) {
        if (before == ':' && (c == ',' || c == '}')) {
          out.append("null");
        }
        out.append(c);
        at++;
      } else {
        bare();
      }
      before = c;
    }
  }

  /** A string up to the next quote of its kind, in double quotes. */
  private void string(char quote) {
    out.append('"');
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == quote) {
        out.append('"');
        at++;
        return;
      }
      if (c == '"') {
        out.append("\\\"");
      } else if (c == '\\') {
        escape();
      } else {
        out.append(c);
      }
    }
  }

  private void escape() {
    char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
    if (next == '\'') {
      out.append(next);
      at++;
    } else if (next != 0 && "\"\\/bfnrt".indexOf(next) >= 0) {
      out.append('\\').append(next);
      at++;
    } else {
      out.append(isUnicode() ? "\\" : "\\\\");
    }
  }

  private boolean isUnicode() {
    if (!text.startsWith("u", at + 1) || at + 6 > text.length()) {
      return false;
    }
    return text.substring(at + 2, at + 6).chars().allMatch(c -> Character.digit(c, 16) >= 0);
  }

  private void bare() {
    int start = at;
    while (at < text.length()
        && STRUCTURE.indexOf(text.charAt(at)) < 0
        && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at);
    if (KNOWN.matcher(word).matches()) {
      out.append(word);
    } else {
      out.append('"').append(word.replace("\\", "\\\\")).append('"');
    }
  }
}
