package io.millrace.cli.rolling;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command of the shell that restarts the node of which its environment tells. */
final class ShellHook implements RollingRestart.Hook {
  /** What {@code timeout} of coreutils ends with. */
  static final int TIMED_OUT = 124;

  /** What a shell ends with that does not find its command. */
  private static final int NOT_FOUND = 127;

  private final String command;
  private final Duration patience;
  private final PrintWriter err;

  ShellHook(String command, Duration patience, PrintWriter err) {
    this.command = command;
    this.patience = patience;
    this.err = err;
  }

  @Override
  public int restart(RollingRestart.Node node) throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).inheritIO();
    builder.environment().put("MILLRACE_NODE_NAME", node.name());
    builder.environment().put("MILLRACE_NODE_ID", node.id());
    builder.environment().put("MILLRACE_NODE_HOST", node.host());
    try {
      Process shell = builder.start();
      if (shell.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return shell.exitValue();
      }
      // not killed: it may be what runs the node
      err.printf(
          "the hook has not ended within %d s and is left alone, process %d; it must end when it has"
              + " told the node to restart%n",
          patience.toSeconds(), shell.pid());
      return TIMED_OUT;
    } catch (IOException e) {
      err.println("sh: " + e.getMessage());
      return NOT_FOUND;
    }
  }
}
