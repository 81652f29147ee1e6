package io.millrace.observe.dashboard;

import io.millrace.observe.nodes.NodeReports;
import org.opensearch.action.ActionType;

/** {@code cluster:monitor/millrace/shards}: the busiest shards and indices of every node. */
public final class ShardLoadAction extends ActionType<NodeReports> {
  public static final String NAME = "cluster:monitor/millrace/shards";
  public static final ShardLoadAction INSTANCE = new ShardLoadAction();

  private ShardLoadAction() {
    super(NAME, NodeReports::new);
  }
}
