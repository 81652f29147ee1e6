package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Stock's {@code http.read_timeout} gives bytes and places back, too. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class ReadTimeoutNodeTests extends GuardedNodeTestCase {
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put("http.read_timeout", "10s")
        .build();
  }

  public void testAReadTimeout() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "5m"));
    try (Wire stalled = wire();
        Wire waits = wire()) {
      stalled.post("/timeout/_bulk", 3 * MB, "{");
      await(() -> assertEquals(3 * MB, inbound("large_used")));
      waits.post("/timeout/_bulk", 2 * MB, "{");
      await(() -> assertEquals(1, inbound("waiting")));
      assertTrue(stalled.closedByPeer());
      assertTrue(waits.closedByPeer());
    }
    await(() -> assertEquals(0, inbound("large_used") + inbound("waiting")));
  }
}
