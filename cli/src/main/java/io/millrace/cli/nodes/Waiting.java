package io.millrace.cli.nodes;

import io.millrace.client.Health;
import io.millrace.launcher.node.NodeProcess;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One line that counts on a terminal; elsewhere one line at the beginning and one per 30 s. */
final class Waiting implements NodeProcess.Progress {
  private final PrintWriter err;
  private final String what;
  private final boolean terminal;
  private long shown = -1;

  Waiting(PrintWriter err, int nodes) {
    this.err = err;
    this.what = nodes == 1 ? "starting the node" : "starting " + nodes + " nodes";
    // the launcher's standard error, which PrintWriter cannot tell
    this.terminal = System.console() != null && "1".equals(System.getenv("MILLRACE_TTY"));
  }

  @Override
  public void waiting(Duration waited, @Nullable Health health) {
    long now = terminal ? waited.toSeconds() : waited.toSeconds() / 30;
    if (now == shown) {
      return;
    }
    shown = now;
    String line =
        what + ", " + waited.toSeconds() + " s" + (health == null ? "" : ": " + said(health));
    err.print(terminal ? "\r\033[K" + line : line + "\n");
    err.flush();
  }

  private static String said(Health health) {
    return health.status() + ", " + health.nodes() + (health.nodes() == 1 ? " node" : " nodes");
  }

  void end() {
    if (terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
