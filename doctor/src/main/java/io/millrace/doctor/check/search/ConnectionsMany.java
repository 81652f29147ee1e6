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
import java.util.Optional;

/** More clients do not write more: they make smaller bulks and longer queues. */
public final class ConnectionsMany extends Rule {
  private static final long MANY = 2_000;
  private static final long TOO_MANY = 10_000;

  public ConnectionsMany() {
    super(
        new About(
            "connections-many",
            Area.SEARCH,
            "Very many clients are connected",
            "a node has 2,000 open HTTP connections or more (info; warn: 10,000)",
            "Each holds buffers and a file. When all of them send at once, their bulks fill the write queue, and what does not"
                + " fit is refused: fewer clients with larger bulks write more.",
            "OpenSearch documentation, Nodes stats: http.current_open, and Tune for indexing speed: bulk requests",
            "the same documents in fewer, larger bulks"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long open = node.stat("http.current_open");
      if (open >= MANY) {
        diagnosis
            .found(open >= TOO_MANY ? Severity.WARN : Severity.INFO, node.name())
            .seen(node.statPath("http.current_open"), open)
            .weigh(open >= TOO_MANY ? 40 : 20);
      }
    }
    return diagnosis.saying(
        "Very many clients are connected to " + diagnosis.names() + ".",
        Fix.advice(
            "Put a queue or an aggregator between the applications and the cluster (Kafka, Fluentd, Logstash, Vector): some tens of"
                + " connections with bulks of 5 to 15 MB. Close idle connections at the clients."));
  }
}
