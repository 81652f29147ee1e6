package io.millrace.kernel.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.Version;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.transport.ActionNotFoundTransportException;
import org.opensearch.transport.RemoteTransportException;

/** Who answers, who has no plugin, who has another one, and who is just not there. */
class NodeReportsTest {
  private static DiscoveryNode node(String id) {
    return new DiscoveryNode(
        id,
        id,
        new TransportAddress(InetAddress.getLoopbackAddress(), 9300),
        Map.of(),
        Set.of(),
        Version.CURRENT);
  }

  private static FailedNodeException failure(String id, Exception cause) {
    return new FailedNodeException(id, "Failed node [" + id + "]", cause);
  }

  /** As a node of stock answers a question that it does not know. */
  private static FailedNodeException stock(String id) {
    return failure(
        id,
        new RemoteTransportException(
            id, null, NodeReportAction.NAME, new ActionNotFoundTransportException("n")));
  }

  private static NodeReports mixed() {
    return new NodeReports(
        new ClusterName("c"),
        List.of(new NodeReport(node("here"), new LinkedHashMap<>(Map.of("a", 1)))),
        List.of(
            stock("stock"),
            failure("older", new ResourceNotFoundException("no report [x] on this node")),
            failure("gone", new IOException("closed"))),
        List.of(node("stock")));
  }

  @Test
  void saysWhyANodeIsMissing() {
    List<String> warnings = mixed().warnings();
    assertTrue(
        warnings.get(0).startsWith("node [stock] does not know this report"), warnings.get(0));
    assertTrue(
        warnings.get(1).startsWith("node [older] does not know this report"), warnings.get(1));
    assertTrue(warnings.get(2).startsWith("node [gone] did not answer"), warnings.get(2));
  }

  @Test
  void absentIsWhoDoesNotKnowTheAction() {
    assertTrue(NodeReports.isAbsent(stock("stock")));
    assertEquals(
        List.of("older", "gone"),
        mixed().failuresOfPresent().stream().map(FailedNodeException::nodeId).toList());
  }

  @Test
  void travels() throws IOException {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      mixed().writeTo(out);
      NodeReports read = new NodeReports(out.bytes().streamInput());
      assertEquals(Map.of("a", 1), read.getNodes().getFirst().report());
      assertEquals(List.of("stock"), read.absent().stream().map(DiscoveryNode::getId).toList());
      assertEquals(mixed().warnings().size(), read.warnings().size());
    }
  }

  @Test
  void anUnknownSubjectIsRefusedByName() {
    ResourceNotFoundException refused =
        assertThrows(ResourceNotFoundException.class, () -> new LocalReports().report("tea"));
    assertTrue(refused.getMessage().contains("[tea]"), refused.getMessage());
  }

  @Test
  void isAnsweredWhileTheHeapIsFull() {
    assertEquals(false, new RestNodeReportAction("gc").canTripCircuitBreaker());
  }
}
