package io.millrace.it.chaos;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes are stopped in order (SIGTERM) and started again, one after the other, the next when the
 * cluster is green; announced where the nodes have the plugin. On another tree it is a rolling
 * upgrade, or one back: nothing is announced, as not every node knows what that is.
 */
final class Restart implements Fault {
  private final Cluster cluster;
  private final List<ClusterNode> nodes;
  private final @Nullable Path tree;

  /**
   * @param tree where the nodes run from afterwards; {@code null} for where they run from
   */
  Restart(Cluster cluster, List<ClusterNode> nodes, @Nullable Path tree) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.tree = tree;
  }

  @Override
  public String describe() {
    return (tree == null ? "restart " : "restart from " + tree.getFileName() + " ")
        + nodes.stream().map(ClusterNode::name).toList();
  }

  @Override
  public void begin() {
    for (ClusterNode node : nodes) {
      new Healing(cluster).green();
      announce("_begin?ttl=5m&node=" + node.name());
      node.stop();
      if (tree != null) {
        node.tree(tree);
      }
      node.start();
      node.awaitAnswer();
      cluster.awaitNodes(cluster.nodes().size());
      announce("_end?node=" + node.name());
    }
  }

  /** A node without the plugin has no such path, and says so. */
  private void announce(String request) {
    JsonHttp http = cluster.node(0).http();
    if (tree == null && http.get("/_millrace").status() == 200) {
      http.post("/_millrace/restart/" + request).ok();
    }
  }

  @Override
  public void end() {
    // every node runs
  }

  @Override
  public boolean lasts() {
    return false;
  }

  @Override
  public boolean isolates() {
    return false;
  }
}
