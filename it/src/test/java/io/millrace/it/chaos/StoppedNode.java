package io.millrace.it.chaos;

import io.millrace.testkit.cluster.ClusterNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/** {@code SIGSTOP}, and {@code SIGCONT}: the node thinks that no time has passed. */
final class StoppedNode implements Fault {
  private final ClusterNode node;

  StoppedNode(ClusterNode node) {
    this.node = node;
  }

  @Override
  public String describe() {
    return "SIGSTOP " + node.name();
  }

  @Override
  public void begin() {
    signal("-STOP");
  }

  @Override
  public void end() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", name, Long.toString(node.process().pid()))
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0) {
        throw new AssertionError("kill " + name + " " + node.name() + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isolates() {
    return true;
  }
}
