package io.millrace.it.chaos;

import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;

/** Every sync and every write of one node takes longer. */
final class SlowDisk implements Fault {
  private final Breakage breakage;
  private final ClusterNode node;
  private final Duration sync;
  private final Duration write;
  private long before;

  SlowDisk(Breakage breakage, ClusterNode node, Duration sync, Duration write) {
    this.breakage = breakage;
    this.node = node;
    this.sync = sync;
    this.write = write;
  }

  @Override
  public String describe() {
    return node.name()
        + " syncs "
        + sync.toMillis()
        + " ms and writes "
        + write.toMillis()
        + " ms later";
  }

  @Override
  public void begin() {
    before = breakage.late();
    breakage.disk(sync, write);
  }

  @Override
  public void verify() {
    if (breakage.late() == before) {
      throw new AssertionError("no write of " + node.name() + " was late");
    }
  }

  @Override
  public void end() {
    breakage.disk(Duration.ZERO, Duration.ZERO);
  }

  @Override
  public boolean isolates() {
    return true; // a node that writes late what it is told of the cluster falls behind
  }
}
