package io.millrace.it.chaos;

import io.millrace.testkit.cluster.ClusterNode;
import java.util.List;

/** {@code kill -9}, and a start on the same data. */
final class KilledNodes implements Fault {
  private final List<ClusterNode> nodes;

  KilledNodes(List<ClusterNode> nodes) {
    this.nodes = nodes;
  }

  @Override
  public String describe() {
    return "kill -9 " + nodes.stream().map(ClusterNode::name).toList();
  }

  @Override
  public void begin() {
    nodes.forEach(ClusterNode::kill);
  }

  @Override
  public void end() {
    nodes.forEach(ClusterNode::start);
    nodes.forEach(ClusterNode::awaitAnswer);
  }

  @Override
  public boolean isolates() {
    return false;
  }
}
