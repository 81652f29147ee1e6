package io.millrace.cluster.balance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.report.NodeReports;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.ClusterName;

/** A node that cannot tell its rates must not look idle. */
class LoadPollTest {
  private static NodeReports failed(Exception cause) {
    return new NodeReports(
        new ClusterName("test"),
        List.of(),
        List.of(new FailedNodeException("node", "failed", cause)),
        List.of());
  }

  @Test
  void aNodeOfAnotherVersionMakesEveryRateUseless() {
    assertTrue(LoadPoll.isBlind(failed(new ResourceNotFoundException("no report"))));
  }

  @Test
  void aNodeThatIsSlowOnceDoesNot() {
    assertFalse(LoadPoll.isBlind(failed(new IllegalStateException("no answer within 30s"))));
  }
}
