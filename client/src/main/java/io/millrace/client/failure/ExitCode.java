package io.millrace.client.failure;

/**
 * The exit codes of every command, so that scripts can tell causes apart.
 *
 * <p>2 is what picocli and most shells use for wrong usage; 3 is what LSB init scripts return from
 * {@code status} when the service is not running.
 */
public final class ExitCode {
  /** Done. */
  public static final int OK = 0;

  /** The operation was tried and failed (a node died at start, a document was refused). */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** Nothing runs that the command could act on. */
  public static final int NOT_RUNNING = 3;

  /** This machine lacks something: a JDK, Maven, a free port, memory, the right to do it. */
  public static final int ENVIRONMENT = 4;

  /** An input cannot be read or ends in the middle; what came before the break was ingested. */
  public static final int INPUT = 5;

  /** The cluster cannot be used: another service, no permission, blocked, or gave up retrying. */
  public static final int CLUSTER = 6;

  /** Interrupted from the keyboard (128 + SIGINT). */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
