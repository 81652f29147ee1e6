package io.millrace.cli.ingest;

/** The exit codes that {@code ingest} adds to {@link io.millrace.cli.term.ExitCode}. */
final class IngestExit {
  /** An input cannot be read or ends in the middle; what came before the break was ingested. */
  static final int INPUT = 5;

  /** The cluster cannot be used: another service, no permission, blocked, or gave up retrying. */
  static final int CLUSTER = 6;

  private IngestExit() {}
}
