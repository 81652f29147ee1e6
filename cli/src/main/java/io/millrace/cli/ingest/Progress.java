package io.millrace.cli.ingest;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Shows how far a load is on standard error: on a terminal one line that is rewritten four times a
 * second (bar, rate, time left), otherwise a plain line every ten seconds, so that a log of it
 * stays short.
 */
public final class Progress implements AutoCloseable {
  private static final int BAR = 24;
  private static final long PLAIN_NANOS = TimeUnit.SECONDS.toNanos(10);
  private final PrintWriter err;
  private final boolean terminal;
  private final Counters counters;
  private final DoubleSupplier fraction;
  private final long started = System.nanoTime();
  private final Thread thread;
  private volatile boolean closed;
  private long lastPlain = started;
  private int width;

  /**
   * @param fraction how much is done, 0 to 1; negative when unknown
   */
  public Progress(PrintWriter err, boolean terminal, Counters counters, DoubleSupplier fraction) {
    this.err = err;
    this.terminal = terminal;
    this.counters = counters;
    this.fraction = fraction;
    this.thread = Thread.ofPlatform().daemon().name("progress").start(this::run);
  }

  /** Whether standard error is a terminal. */
  public static boolean onTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return System.console() != null;
    }
  }

  private void run() {
    while (!closed) {
      try {
        TimeUnit.MILLISECONDS.sleep(250);
      } catch (InterruptedException e) {
        return;
      }
      long now = System.nanoTime();
      if (!closed && terminal) {
        show(line(now), false);
      } else if (!closed && now - lastPlain >= PLAIN_NANOS) {
        lastPlain = now;
        err.println(line(now));
        err.flush();
      }
    }
  }

  private synchronized void show(String text, boolean last) {
    int padding = Math.max(0, width - text.length());
    err.print('\r' + text + " ".repeat(padding) + (last ? "\r" : ""));
    err.flush();
    width = text.length();
  }

  private String line(long now) {
    double seconds = (now - started) / 1e9;
    long done = counters.indexed.sum() + counters.already.sum() + counters.refused.sum();
    double part = Math.min(1, fraction.getAsDouble());
    StringBuilder text = new StringBuilder();
    if (part >= 0) {
      int filled = (int) (part * BAR);
      text.append('[').append("#".repeat(filled)).append("-".repeat(BAR - filled)).append("] ");
      text.append(String.format(Locale.ROOT, "%3d%% ", (int) (part * 100)));
    }
    text.append(String.format(Locale.ROOT, "%,d docs  %,.0f docs/s", done, done / seconds));
    if (part > 0.01 && part < 1) {
      text.append("  ETA ").append(duration(seconds / part - seconds));
    }
    if (counters.retried.sum() > 0) {
      text.append(String.format(Locale.ROOT, "  %,d retried", counters.retried.sum()));
    }
    if (counters.refused.sum() > 0) {
      text.append(String.format(Locale.ROOT, "  %,d refused", counters.refused.sum()));
    }
    return text.toString();
  }

  private static String duration(double seconds) {
    long whole = Math.max(0, Math.round(seconds));
    return whole < 60
        ? whole + " s"
        : String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (terminal && width > 0) {
      show("", true);
    }
  }
}
