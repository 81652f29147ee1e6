package io.millrace.observe;

import io.millrace.kernel.Feature;
import io.millrace.observe.alarms.AlarmsFeature;
import io.millrace.observe.dashboard.DashboardFeature;
import io.millrace.observe.explorer.ExplorerFeature;
import io.millrace.observe.freshness.FreshnessFeature;
import io.millrace.observe.gc.GcFeature;
import io.millrace.observe.prometheus.PrometheusFeature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class ObserveDomain {
  private ObserveDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    GcFeature gc = new GcFeature();
    FreshnessFeature freshness = new FreshnessFeature();
    return List.of(
        gc,
        freshness,
        new AlarmsFeature(gc.observation(), freshness.freshness()),
        new PrometheusFeature(gc.observation()),
        new DashboardFeature(),
        new ExplorerFeature());
  }
}
