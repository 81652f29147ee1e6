package io.millrace.plugin.stats;

import org.opensearch.action.ActionType;

/** {@code cluster:monitor/millrace/stats}: the features of every node and their figures. */
public final class FeatureStatsAction extends ActionType<FeatureStatsResponse> {
  public static final String NAME = "cluster:monitor/millrace/stats";
  public static final FeatureStatsAction INSTANCE = new FeatureStatsAction();

  private FeatureStatsAction() {
    super(NAME, FeatureStatsResponse::new);
  }
}
