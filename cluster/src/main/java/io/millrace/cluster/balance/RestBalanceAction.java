package io.millrace.cluster.balance;

import io.millrace.kernel.ManagerWithoutPlugin;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.report.NodeReports;
import io.millrace.kernel.report.RestReportAction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.discovery.ClusterManagerNotDiscoveredException;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_millrace/balance[?moves=20][&timeout=30s]}: what the cluster manager knows. */
final class RestBalanceAction extends RestReportAction {
  private static final int SHOWN = 20;

  @Override
  public String getName() {
    return "millrace_balance_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.GET, "/_millrace/balance"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    int moves = moves(request.param("moves"));
    NodeReportRequest question = new NodeReportRequest(BalanceReport.SUBJECT, "_cluster_manager");
    question.timeout(request.paramAsTime("timeout", TimeValue.timeValueSeconds(30)));
    return ask(question, client, (reports, builder) -> builder.mapContents(answer(reports, moves)));
  }

  /**
   * How many moves to show.
   *
   * @throws IllegalArgumentException when it is no number from 0 to {@link MoveLog#KEPT}
   */
  static int moves(String asked) {
    if (asked == null) {
      return SHOWN;
    }
    try {
      int moves = Integer.parseInt(asked);
      if (moves >= 0 && moves <= MoveLog.KEPT) {
        return moves;
      }
    } catch (NumberFormatException e) {
      // answered below
    }
    throw new IllegalArgumentException(
        "[moves] is [" + asked + "]; it must be a number from 0 to " + MoveLog.KEPT);
  }

  private static Map<String, Object> answer(NodeReports reports, int moves) {
    if (reports.getNodes().isEmpty()) {
      if (!reports.failures().isEmpty()) {
        DiscoveryNode absent = reports.absent().isEmpty() ? null : reports.absent().get(0);
        throw ExceptionsHelper.convertToRuntime(
            ManagerWithoutPlugin.explained(reports.failures().get(0), absent));
      }
      throw new ClusterManagerNotDiscoveredException(
          "no cluster manager is elected, and only it knows the balance; ask again");
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("cluster_manager", reports.getNodes().get(0).getNode().getName());
    answer.putAll(reports.getNodes().get(0).report());
    if (answer.get(BalanceReport.MOVES) instanceof List<?> all) {
      answer.put(BalanceReport.MOVES, all.subList(0, Math.min(moves, all.size())));
    }
    return answer;
  }
}
