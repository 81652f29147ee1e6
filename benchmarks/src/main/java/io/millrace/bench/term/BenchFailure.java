package io.millrace.bench.term;

/** A failure a user can understand and act on: one clear line, no stack trace. */
public final class BenchFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchFailure(String message) {
    super(message);
  }

  public BenchFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
