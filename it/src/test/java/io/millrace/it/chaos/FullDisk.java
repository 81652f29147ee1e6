package io.millrace.it.chaos;

import io.millrace.testkit.cluster.ClusterNode;

/** The disk of one node takes not one byte more. A node that ends by it is started again. */
final class FullDisk implements Fault {
  private final BoundedDisk disk;
  private final ClusterNode node;

  FullDisk(BoundedDisk disk, ClusterNode node) {
    this.disk = disk;
    this.node = node;
  }

  @Override
  public String describe() {
    return "the disk of " + node.name() + " is full";
  }

  @Override
  public void begin() {
    disk.fill();
  }

  @Override
  public void end() {
    disk.free();
    if (!node.alive()) {
      node.start();
      node.awaitAnswer();
    }
  }

  @Override
  public boolean isolates() {
    return true; // a node that cannot write what it is told of the cluster falls behind
  }
}
