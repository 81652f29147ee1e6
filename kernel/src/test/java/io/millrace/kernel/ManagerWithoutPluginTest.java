package io.millrace.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.transport.ActionNotFoundTransportException;
import org.opensearch.transport.RemoteTransportException;

class ManagerWithoutPluginTest {
  private static final DiscoveryNode MANAGER =
      new DiscoveryNode(
          "node-1",
          "id-1",
          new TransportAddress(InetAddress.getLoopbackAddress(), 9300),
          Map.of(),
          Set.of(),
          Version.CURRENT);

  private static OpenSearchStatusException explained(@Nullable DiscoveryNode manager) {
    Exception unknown =
        new RemoteTransportException(
            "node-1", new ActionNotFoundTransportException("cluster:admin/millrace/restart"));
    return (OpenSearchStatusException) ManagerWithoutPlugin.explained(unknown, manager);
  }

  @Test
  void anUnknownActionNamesTheManagerAndTheRemedy() {
    OpenSearchStatusException answer = explained(MANAGER);
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, answer.status());
    assertTrue(
        answer.getMessage().contains("[node-1] is one without the plugin")
            && answer.getMessage().contains("node_names=node-1]"),
        answer.getMessage());
  }

  @Test
  void aManagerThatIsGoneIsNotNamed() {
    String message = explained(null).getMessage();
    assertTrue(
        message.contains("the one that was asked is one without") && !message.contains("[]"),
        message);
  }

  @Test
  void everyOtherFailureStaysAsItIs() {
    Exception other = new IllegalStateException("closed");
    assertSame(other, ManagerWithoutPlugin.explained(other, MANAGER));
  }
}
