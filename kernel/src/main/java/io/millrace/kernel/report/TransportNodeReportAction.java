package io.millrace.kernel.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/**
 * Asks nodes for one report and waits for all of them.
 *
 * <p>Not a {@code TransportNodesAction}: that one lets the breakers of a node whose heap is full
 * refuse the question, and a full heap is what people ask about. A report is small, so neither the
 * action nor the question to a node may trip one.
 */
public final class TransportNodeReportAction
    extends HandledTransportAction<NodeReportRequest, NodeReports> {
  private static final String OF_ONE_NODE = NodeReportAction.NAME + "[n]";

  private final ClusterService clusterService;
  private final TransportService transport;

  @Inject
  public TransportNodeReportAction(
      TransportService transport,
      ClusterService clusterService,
      ActionFilters filters,
      LocalReports local) {
    super(NodeReportAction.NAME, false, transport, filters, NodeReportRequest::new);
    this.clusterService = clusterService;
    this.transport = transport;
    transport.registerRequestHandler(
        OF_ONE_NODE,
        ThreadPool.Names.MANAGEMENT,
        false,
        false,
        NodeRequest::new,
        (request, channel, task) ->
            channel.sendResponse(
                new NodeReport(transport.getLocalNode(), local.report(request.subject))));
  }

  @Override
  protected void doExecute(
      Task task, NodeReportRequest request, ActionListener<NodeReports> listener) {
    DiscoveryNodes known = clusterService.state().nodes();
    List<DiscoveryNode> asked = new ArrayList<>();
    for (String id : known.resolveNodes(request.nodesIds())) {
      Optional.ofNullable(known.get(id)).ifPresent(asked::add);
    }
    Answers answers = new Answers(asked, listener);
    if (asked.isEmpty()) {
      answers.give();
      return;
    }
    TransportRequestOptions options =
        TransportRequestOptions.builder().withTimeout(request.timeout()).build();
    for (int i = 0; i < asked.size(); i++) {
      int at = i;
      NodeRequest one = new NodeRequest(request.subject());
      one.setParentTask(clusterService.localNode().getId(), task.getId());
      transport.sendRequest(
          asked.get(i),
          OF_ONE_NODE,
          one,
          options,
          new ActionListenerResponseHandler<>(
              ActionListener.wrap(
                  report -> answers.add(at, report), failure -> answers.add(at, failure)),
              NodeReport::new));
    }
  }

  /** What came back so far, in the order of the nodes asked. */
  private final class Answers {
    private final List<DiscoveryNode> asked;
    private final ActionListener<NodeReports> listener;
    private final AtomicReferenceArray<Object> answers;
    private final AtomicInteger missing;

    Answers(List<DiscoveryNode> asked, ActionListener<NodeReports> listener) {
      this.asked = asked;
      this.listener = listener;
      this.answers = new AtomicReferenceArray<>(asked.size());
      this.missing = new AtomicInteger(asked.size());
    }

    void add(int at, Object answer) {
      answers.set(at, answer);
      if (missing.decrementAndGet() == 0) {
        give();
      }
    }

    void give() {
      List<NodeReport> reports = new ArrayList<>();
      List<FailedNodeException> failures = new ArrayList<>();
      List<DiscoveryNode> absent = new ArrayList<>();
      for (int i = 0; i < asked.size(); i++) {
        if (answers.get(i) instanceof NodeReport report) {
          reports.add(report);
        } else if (answers.get(i) instanceof Exception cause) {
          String id = asked.get(i).getId();
          FailedNodeException failure =
              new FailedNodeException(id, "Failed node [" + id + "]", cause);
          failures.add(failure);
          if (NodeReports.isAbsent(failure)) {
            absent.add(asked.get(i));
          }
        }
      }
      listener.onResponse(
          new NodeReports(clusterService.getClusterName(), reports, failures, absent));
    }
  }

  /** What one node is asked. */
  static final class NodeRequest extends TransportRequest {
    private final String subject;

    NodeRequest(String subject) {
      this.subject = subject;
    }

    NodeRequest(StreamInput in) throws IOException {
      super(in);
      subject = in.readString();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeString(subject);
    }
  }
}
