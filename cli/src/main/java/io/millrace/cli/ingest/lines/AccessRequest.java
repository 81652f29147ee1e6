package io.millrace.cli.ingest.lines;

/** What access logs have behind their time: {@code "GET /a.gif HTTP/1.0" 200 2326}. */
final class AccessRequest {
  private AccessRequest() {}

  /**
   * Reads method, status and bytes.
   *
   * @param open where the quote before the request stands
   */
  static void read(ParsedLine out, int open) {
    String s = out.line();
    int space = s.indexOf(' ', open + 1);
    int quote = s.indexOf("\" ", open + 1);
    if (space > 0 && space < quote) {
      out.span("method", open + 1, space);
    }
    if (quote < 0) {
      return;
    }
    int statusEnd = Text.digits(s, quote + 2);
    if (statusEnd == quote + 5) {
      out.span("status", quote + 2, statusEnd);
      int bytesEnd = Text.digits(s, statusEnd + 1);
      if (bytesEnd > statusEnd + 1 && (bytesEnd == s.length() || s.charAt(bytesEnd) == ' ')) {
        out.span("bytes", statusEnd + 1, bytesEnd);
      }
    }
  }
}
