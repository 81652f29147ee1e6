package io.millrace.doctor.check.search;

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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The node that takes the requests of all clients does the work of coordinating alone. */
public final class ClientsUneven extends Rule {
  private static final int ENOUGH = 30;

  public ClientsUneven() {
    super(
        new About(
            "clients-uneven",
            Area.SEARCH,
            "Clients talk to one node",
            "of 3 data nodes or more, one has 80 % or more of 30 open HTTP connections or more",
            "It parses every bulk, sends most of it on, and merges the answers of all searches. It is full while the others"
                + " are idle, and its loss cuts off every client.",
            "OpenSearch documentation, Nodes stats: http.current_open; a field report: one address in front of many idle nodes",
            "bulks and searches are coordinated by all nodes"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    // a node that only coordinates is there to have them all
    List<Node> nodes = snapshot.nodes();
    long all = nodes.stream().mapToLong(node -> node.stat("http.current_open")).sum();
    if (snapshot.dataNodes().size() >= 3 && all >= ENOUGH) {
      Node most =
          nodes.stream()
              .max(Comparator.comparingLong(node -> node.stat("http.current_open")))
              .orElseThrow();
      long open = most.stat("http.current_open");
      if (most.data() && open * 10 >= all * 8) {
        diagnosis
            .found(Severity.WARN, most.name())
            .seen(most.statPath("http.current_open"), open + " of " + all + " of the cluster")
            .weigh(35);
      }
    }
    return diagnosis.saying(
        "Nearly all clients talk to " + diagnosis.names() + ".",
        Fix.advice(
            "Give clients the addresses of several nodes, or let them find the others (sniffing); a load balancer in front should spread requests, not only connections."));
  }
}
