package io.millrace.kernel.report;

import org.opensearch.action.ActionType;

/** {@code cluster:monitor/millrace/report}: what nodes say about themselves on one subject. */
public final class NodeReportAction extends ActionType<NodeReports> {
  public static final String NAME = "cluster:monitor/millrace/report";
  public static final NodeReportAction INSTANCE = new NodeReportAction();

  private NodeReportAction() {
    super(NAME, NodeReports::new);
  }
}
