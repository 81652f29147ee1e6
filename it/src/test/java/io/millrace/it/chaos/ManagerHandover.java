package io.millrace.it.chaos;

import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;

/**
 * The role of the cluster manager moves: by request on Millrace; on stock by an exclusion from the
 * voting configuration, which is taken back at the end.
 */
public final class ManagerHandover implements Fault {
  private final ClusterNode from;
  private final ClusterNode to;
  private final boolean ours;

  /**
   * @param ours whether the nodes have the plugin; else {@code to} is a wish, and may not come true
   */
  public ManagerHandover(ClusterNode from, ClusterNode to, boolean ours) {
    this.from = from;
    this.to = to;
    this.ours = ours;
  }

  @Override
  public String describe() {
    return "cluster manager from " + from.name() + (ours ? " to " + to.name() : "");
  }

  @Override
  public void begin() {
    JsonHttp http = to.http();
    if (ours) {
      http.post("/_millrace/manager/_handover?to=" + to.name()).ok();
    } else {
      http.post("/_cluster/voting_config_exclusions?node_names=" + from.name()).ok();
    }
  }

  @Override
  public void end() {
    if (!ours) {
      to.http().delete("/_cluster/voting_config_exclusions?wait_for_removal=false").ok();
    }
  }

  @Override
  public boolean lasts() {
    return false;
  }

  @Override
  public boolean isolates() {
    return false;
  }
}
