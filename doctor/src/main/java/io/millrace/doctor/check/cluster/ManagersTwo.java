package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/** Two eligible nodes are no safer than one: a majority of two is two. */
public final class ManagersTwo extends Rule {
  public ManagersTwo() {
    super(
        new About(
            "managers-few",
            Area.CLUSTER,
            "Too few nodes can become cluster manager",
            "a cluster of 2 nodes has 2 eligible ones, or one of 3 nodes or more has 1 or 2",
            "A majority has to be alive: with one or two eligible nodes the loss of one stops the cluster.",
            "OpenSearch documentation, Cluster formation: three cluster-manager-eligible nodes",
            "the loss of any one node is borne"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Node> eligible = snapshot.nodes().stream().filter(Node::managerEligible).toList();
    if (snapshot.nodes().size() >= 2 && !eligible.isEmpty() && eligible.size() < 3) {
      eligible.forEach(node ->
          diagnosis
              .found(Severity.WARN, node.name())
              .seen(node.infoPath("roles"), node.info().path("roles"))
              .weigh(50));
    }
    return diagnosis.saying(
        "Only "
            + eligible.size()
            + " of "
            + snapshot.nodes().size()
            + " nodes can become cluster manager.",
        Fix.config(
                snapshot.product().nodeFile(),
                List.of(),
                List.of("node.roles: [ cluster_manager ]"))
            .and(
                "Add a third eligible node; it may be small and hold no data. Elasticsearch and OpenSearch 1 call the role master."));
  }
}
