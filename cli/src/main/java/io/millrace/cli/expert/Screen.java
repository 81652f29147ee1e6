package io.millrace.cli.expert;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code top} shows its pages: the whole terminal, with single keys, or plain text one page
 * after the other where standard output is none.
 */
final class Screen implements AutoCloseable {
  private static final long STEP_MILLIS = 50;
  private static final File TERMINAL = new File("/dev/tty");

  private final PrintWriter out;
  private final @Nullable String former;
  private final Thread restore = new Thread(this::restore, "restore-terminal");
  private boolean first = true;

  private Screen(PrintWriter out, @Nullable String former) {
    this.out = out;
    this.former = former;
  }

  /**
   * @param plain whether the terminal is left as it is
   */
  static Screen open(PrintWriter out, boolean plain) {
    @Nullable String former =
        plain || System.getenv("MILLRACE_TTY_OUT") == null ? null : stty("-g");
    Screen screen = new Screen(out, former);
    if (former != null) {
      stty("-icanon", "-echo", "min", "0", "time", "0");
      Runtime.getRuntime().addShutdownHook(screen.restore);
      out.print("\033[?1049h\033[?25l");
      out.flush();
    }
    return screen;
  }

  /** Whether it is a terminal. */
  boolean live() {
    return former != null;
  }

  int width(int otherwise) {
    return size(1, otherwise);
  }

  int height(int otherwise) {
    return size(0, otherwise);
  }

  private int size(int part, int otherwise) {
    @Nullable String size = live() ? stty("size") : null;
    String[] parts = size == null ? new String[0] : size.split(" ");
    return parts.length == 2 && parts[part].matches("[1-9]\\d{0,4}")
        ? Integer.parseInt(parts[part])
        : otherwise;
  }

  /** Whether whoever read the output has gone, as {@code head} does after some lines. */
  boolean deserted() {
    // either alone forgets what the other could not write
    return out.checkError() || System.out.checkError();
  }

  void show(List<String> lines) {
    if (live()) {
      int most = height(lines.size());
      out.print("\033[H");
      lines.stream().limit(Math.max(1, most - 1)).forEach(line -> out.print(line + "\033[K\r\n"));
      out.print("\033[J");
    } else {
      if (!first) {
        out.println();
      }
      lines.forEach(out::println);
    }
    first = false;
    out.flush();
  }

  /**
   * Waits, and tells which keys were pressed.
   *
   * @param pressed false ends the wait
   * @return false when a key ended it
   */
  boolean sleep(long millis, IntPredicate pressed) throws InterruptedException {
    long until = System.nanoTime() + millis * 1_000_000;
    return wait(() -> System.nanoTime() >= until, pressed);
  }

  /**
   * Waits for a task.
   *
   * @param pressed false ends the wait
   * @return false when a key ended it
   */
  boolean await(Future<?> task, IntPredicate pressed) throws InterruptedException {
    return wait(task::isDone, pressed);
  }

  private boolean wait(BooleanSupplier over, IntPredicate pressed) throws InterruptedException {
    while (!over.getAsBoolean()) {
      Thread.sleep(STEP_MILLIS);
      try {
        while (live() && System.in.available() > 0) {
          if (!pressed.test(System.in.read())) {
            return false;
          }
        }
      } catch (IOException e) {
        return false; // the terminal is gone
      }
    }
    return true;
  }

  private void restore() {
    if (former != null) {
      out.print("\033[?25h\033[?1049l");
      out.flush();
      stty(former);
    }
  }

  /** What {@code stty} says; null where there is no terminal or no such program. */
  private static @Nullable String stty(String... arguments) {
    List<String> command = new java.util.ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Redirect.from(TERMINAL))
              .redirectError(Redirect.DISCARD)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? said : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  @Override
  public void close() {
    if (live()) {
      Runtime.getRuntime().removeShutdownHook(restore);
      restore();
    }
  }
}
