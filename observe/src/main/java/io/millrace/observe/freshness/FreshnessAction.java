package io.millrace.observe.freshness;

import io.millrace.observe.nodes.NodeReports;
import org.opensearch.action.ActionType;

/** {@code cluster:monitor/millrace/freshness}: how long writes wait on every node. */
public final class FreshnessAction extends ActionType<NodeReports> {
  public static final String NAME = "cluster:monitor/millrace/freshness";
  public static final FreshnessAction INSTANCE = new FreshnessAction();

  private FreshnessAction() {
    super(NAME, NodeReports::new);
  }
}
