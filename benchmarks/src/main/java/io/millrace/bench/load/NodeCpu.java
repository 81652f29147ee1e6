package io.millrace.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.os.ThreadCpu;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * CPU of the process of a node that runs on this machine. The node's own figure, {@code
 * _nodes/stats}, stays the same for a second.
 */
public final class NodeCpu {
  private final long pid;

  private NodeCpu(long pid) {
    this.pid = pid;
  }

  /** The node that answers the client. */
  public static NodeCpu of(NodeClient node) {
    JsonNode nodes = node.get("/_nodes/_local/process").path("nodes");
    return new NodeCpu(nodes.iterator().next().path("process").path("id").asLong());
  }

  /**
   * What its threads took until now.
   *
   * @throws UncheckedIOException if the node does not run on this machine
   */
  public ThreadCpu now() {
    try {
      return ThreadCpu.of(pid);
    } catch (IOException e) {
      throw new UncheckedIOException("the node has to run on this machine", e);
    }
  }
}
