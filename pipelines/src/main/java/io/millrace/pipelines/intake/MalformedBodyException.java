package io.millrace.pipelines.intake;

import java.io.IOException;

/** A body that cannot be read; the same body will never be. */
public final class MalformedBodyException extends IOException {
  private static final long serialVersionUID = 1;

  public MalformedBodyException(String message) {
    super(message);
  }

  public MalformedBodyException(String message, Throwable cause) {
    super(message, cause);
  }
}
