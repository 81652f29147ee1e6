package io.millrace.client.failure;

import org.jspecify.annotations.Nullable;

/**
 * A failure that a user can understand and act on: one line that says what is wrong, one that says
 * what to do, and the exit code of a program that ends with it. The command line prints those two
 * lines; the stack trace only under {@code --verbose}.
 */
public class ExpectedFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final @Nullable String remedy;

  /**
   * @param exitCode one of {@link ExitCode}
   * @param message what is wrong: names the thing and its value
   * @param remedy what to do about it; {@code null} when the message already says so
   */
  public ExpectedFailure(int exitCode, String message, @Nullable String remedy) {
    this(exitCode, message, remedy, null);
  }

  /**
   * @param cause shown under {@code --verbose} only
   */
  public ExpectedFailure(
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
