package io.millrace.cluster;

import io.millrace.cluster.balance.BalanceFeature;
import io.millrace.cluster.fastrestart.FastRestartFeature;
import io.millrace.cluster.flapdamping.FlapDampingFeature;
import io.millrace.cluster.managerhandover.ManagerHandoverFeature;
import io.millrace.kernel.Feature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class ClusterDomain {
  private ClusterDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(
        new ManagerHandoverFeature(),
        new FastRestartFeature(),
        new FlapDampingFeature(),
        new BalanceFeature());
  }
}
