package io.millrace.observe.alarms;

import io.millrace.observe.nodes.NodeReports;
import org.opensearch.action.ActionType;

/** {@code cluster:monitor/millrace/alarms}: the alarms of every node. */
public final class AlarmsAction extends ActionType<NodeReports> {
  public static final String NAME = "cluster:monitor/millrace/alarms";
  public static final AlarmsAction INSTANCE = new AlarmsAction();

  private AlarmsAction() {
    super(NAME, NodeReports::new);
  }
}
