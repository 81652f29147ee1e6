package io.millrace.launcher.node;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that is to end with this one: it shares our terminal and is recorded nowhere. SIGTERM
 * (a process manager, {@code docker stop}, {@code timeout}) reaches only us and is passed on; what
 * does not end in time is killed, as {@code down} does.
 */
public final class ForegroundProcess {
  /** What a node gets to end by itself. */
  public static final Duration GRACE = Duration.ofSeconds(60);

  private final Duration grace;
  private @Nullable Process child;
  private boolean ending;

  private ForegroundProcess(Duration grace) {
    this.grace = grace;
  }

  /**
   * Starts it and waits for its end.
   *
   * @param grace between SIGTERM and SIGKILL when this process is told to end
   * @return its exit code
   */
  public static int run(ProcessBuilder builder, Duration grace)
      throws IOException, InterruptedException {
    ForegroundProcess attached = new ForegroundProcess(grace);
    // before the start: a signal may come at any time
    Thread end = new Thread(attached::end, "end the child");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      return attached.start(builder.inheritIO()).waitFor();
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(end);
      } catch (IllegalStateException e) {
        // it runs already
      }
    }
  }

  private synchronized Process start(ProcessBuilder builder) throws IOException {
    if (ending) {
      throw new IOException("told to end before the start");
    }
    Process started = builder.start();
    child = started;
    return started;
  }

  private void end() {
    Process started;
    synchronized (this) {
      ending = true;
      started = child;
    }
    if (started == null) {
      return;
    }
    started.destroy();
    try {
      if (!started.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        started.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
