package io.millrace.pipelines.loki;

import io.millrace.pipelines.intake.MalformedBodyException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the labels of a stream as protobuf carries them: {@code {app="shop", level="info"}}. */
final class LabelSet {
  private final String text;
  private int at;

  private LabelSet(String text) {
    this.text = text;
  }

  /**
   * The labels by their names.
   *
   * @throws MalformedBodyException naming the text and the place
   */
  static Map<String, String> parse(String text) throws MalformedBodyException {
    LabelSet set = new LabelSet(text);
    Map<String, String> labels = new LinkedHashMap<>();
    set.expect('{');
    while (!set.next('}')) {
      String name = set.name();
      set.expect('=');
      labels.put(name, set.quoted());
      if (!set.next(',')) {
        set.expect('}');
        break;
      }
    }
    set.blanks();
    if (set.at < text.length()) {
      throw set.wrong("the end");
    }
    return labels;
  }

  private void blanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private boolean next(char wanted) {
    blanks();
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char wanted) throws MalformedBodyException {
    if (!next(wanted)) {
      throw wrong("[" + wanted + "]");
    }
  }

  private String name() throws MalformedBodyException {
    blanks();
    int from = at;
    while (at < text.length() && "=,}\" ".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (at == from) {
      throw wrong("the name of a label");
    }
    return text.substring(from, at);
  }

  private String quoted() throws MalformedBodyException {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return out.toString();
      }
      out.append(c == '\\' ? escaped() : String.valueOf(c));
    }
    throw wrong("[\"]");
  }

  /** As Go quotes strings; an escape that Go does not have stays as it is. */
  private String escaped() throws MalformedBodyException {
    if (at == text.length()) {
      throw wrong("a character after [\\]");
    }
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> "\n";
      case 't' -> "\t";
      case 'r' -> "\r";
      case '"', '\\' -> String.valueOf(c);
      case 'x' -> hex(2);
      case 'u' -> hex(4);
      default -> "\\" + c;
    };
  }

  private String hex(int digits) throws MalformedBodyException {
    int end = Math.min(text.length(), at + digits);
    try {
      String value = Character.toString(Integer.parseUnsignedInt(text, at, end, 16));
      at = end;
      return value;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw wrong("[" + digits + "] hexadecimal digits");
    }
  }

  private MalformedBodyException wrong(String wanted) {
    String shown = text.length() <= 200 ? text : text.substring(0, 200) + "…";
    return new MalformedBodyException(
        "[labels] is [" + shown + "]: " + wanted + " is missing at [" + at + "]");
  }
}
