package io.millrace.bench;

import io.millrace.bench.run.RunProgress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * RunProgress on the terminal: one line that is written over, or, where the output is no terminal,
 * a line per step and every quarter.
 */
final class TerminalProgress implements RunProgress {
  private static final long REDRAW_NANOS = 200_000_000L;
  private static final int BAR = 24;

  private final PrintStream out;
  private final boolean terminal;
  private String step = "";
  private long started = System.nanoTime();
  private long drawn;
  private int quarter;

  TerminalProgress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Whether standard output is a terminal. System.console() does not say: since JDK 22 it may be
   * there with the output in a file.
   */
  static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false; // another operating system: lines are always readable
    }
  }

  @Override
  public synchronized void step(String what) {
    step = what;
    started = System.nanoTime();
    quarter = 0;
    if (terminal) {
      out.print("\r\033[K  " + what);
      out.flush();
    } else {
      out.println("  " + what);
    }
  }

  @Override
  public synchronized void at(long done, long total) {
    long now = System.nanoTime();
    double seconds = (now - started) / 1e9;
    if (terminal) {
      if (now - drawn > REDRAW_NANOS || done >= total) {
        drawn = now;
        out.print("\r\033[K  " + step + " " + bar(done, total) + " " + rate(done, seconds));
        out.flush();
      }
      return;
    }
    int here = (int) (4 * done / Math.max(1, total));
    if (here > quarter && here < 4) {
      quarter = here;
      out.println("    " + 25 * here + " % " + rate(done, seconds));
    }
  }

  @Override
  public synchronized void line(String text) {
    out.println(terminal ? "\r\033[K" + text : text);
  }

  static String bar(long done, long total) {
    int full = (int) (BAR * Math.min(done, total) / Math.max(1, total));
    return "["
        + "#".repeat(full)
        + ".".repeat(BAR - full)
        + "] "
        + 100 * done / Math.max(1, total)
        + " %";
  }

  private static String rate(long done, double seconds) {
    return String.format(Locale.ROOT, "%,d (%,.0f/s)", done, done / Math.max(0.001, seconds));
  }
}
