package io.millrace.doctor.snapshot;

import io.millrace.client.failure.ExpectedFailure;

/** A cluster stopped answering in the middle of an examination; what it had answered is kept. */
public final class ClusterDiedException extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private final transient Snapshot read;

  /**
   * @param read what was answered; of a probe that was not asked it says so
   * @param failure of the request that had no answer
   */
  ClusterDiedException(Snapshot read, ExpectedFailure failure) {
    super(
        failure.exitCode(),
        String.valueOf(failure.getMessage()),
        "The report says what was found until then."
            + (failure.remedy() == null ? "" : " " + failure.remedy()),
        failure);
    this.read = read;
  }

  /** What was answered until then. */
  public Snapshot read() {
    return read;
  }
}
