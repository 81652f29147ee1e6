package io.millrace.cli.expert;

import java.io.PrintWriter;

/** What is asked for now: one line that is rewritten on a terminal, nothing elsewhere. */
final class ProgressLine {
  private final PrintWriter err;
  private final boolean terminal = System.getenv("MILLRACE_TTY") != null;

  ProgressLine(PrintWriter err) {
    this.err = err;
  }

  void show(String text) {
    if (terminal) {
      err.print("\r\033[K" + (text.length() > 78 ? text.substring(0, 78) : text));
      err.flush();
    }
  }

  void clear() {
    show("");
  }
}
