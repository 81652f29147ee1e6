package io.millrace.observe.gc;

import io.millrace.observe.nodes.NodeReports;
import org.opensearch.action.ActionType;

/** {@code cluster:monitor/millrace/gc}: the collector of every node. */
public final class GcAction extends ActionType<NodeReports> {
  public static final String NAME = "cluster:monitor/millrace/gc";
  public static final GcAction INSTANCE = new GcAction();

  private GcAction() {
    super(NAME, NodeReports::new);
  }
}
