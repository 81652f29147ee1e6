package io.millrace.kernel;

import io.millrace.kernel.report.NodeReport;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.report.NodeReports;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.FailedNodeException;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/**
 * A node whose heap is full refuses what other nodes ask of it, but not a report: that is when
 * somebody wants one. The heap counts as full because a breaker was told so.
 */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false, numClientNodes = 0)
public class FullHeapNodeTests extends OpenSearchIntegTestCase {

  /** Brings one report. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(
          List.of(
              new SomeFeature(
                  "test.full-heap", hooks -> hooks.report("pulse", () -> Map.of("alive", true)))));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Host.class);
    return plugins;
  }

  public void testAReportComesFromANodeWhoseBreakersRefuseEverythingElse() {
    String[] names = internalCluster().getNodeNames();
    String full = names[0];
    String asking = names[1];
    CircuitBreaker requests =
        internalCluster()
            .getInstance(CircuitBreakerService.class, full)
            .getBreaker(CircuitBreaker.IN_FLIGHT_REQUESTS);
    long rest = requests.getLimit();
    requests.addWithoutBreaking(rest);
    try {
      List<FailedNodeException> refused =
          client(asking).admin().cluster().prepareNodesStats(full).get().failures();
      assertEquals(1, refused.size());
      assertNotNull(
          refused.toString(),
          ExceptionsHelper.unwrap(refused.get(0), CircuitBreakingException.class));

      for (String asked : names) {
        NodeReports reports =
            client(asked)
                .execute(NodeReportAction.INSTANCE, new NodeReportRequest("pulse"))
                .actionGet();
        assertEquals(List.of(), reports.failures());
        assertEquals(2, reports.getNodes().size());
        for (NodeReport report : reports.getNodes()) {
          assertEquals(Map.of("alive", true), report.report());
        }
      }
    } finally {
      requests.addWithoutBreaking(-rest);
    }
  }
}
