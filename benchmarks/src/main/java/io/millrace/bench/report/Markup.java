package io.millrace.bench.report;

/** Text for HTML and SVG. */
final class Markup {
  private Markup() {}

  /** Text as it may stand between tags and inside quoted attributes. */
  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c < 0x20 && c != '\n' && c != '\t' ? '\ufffd' : c);
      }
    }
    return out.toString();
  }
}
