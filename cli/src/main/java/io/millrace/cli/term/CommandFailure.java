package io.millrace.cli.term;

import org.jspecify.annotations.Nullable;

/**
 * An expected failure: one line that says what is wrong, one that says what to do, and the exit
 * code. The root command prints those two lines; the stack trace only under {@code --verbose}.
 */
public class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final @Nullable String remedy;

  /**
   * @param exitCode one of {@link ExitCode}
   * @param message what is wrong: names the thing and its value
   * @param remedy what to do about it; {@code null} when the message already says so
   */
  public CommandFailure(int exitCode, String message, @Nullable String remedy) {
    this(exitCode, message, remedy, null);
  }

  /**
   * @param cause shown under {@code --verbose} only
   */
  public CommandFailure(
      int exitCode, String message, @Nullable String remedy, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.remedy = remedy;
  }

  public int exitCode() {
    return exitCode;
  }

  public @Nullable String remedy() {
    return remedy;
  }
}
