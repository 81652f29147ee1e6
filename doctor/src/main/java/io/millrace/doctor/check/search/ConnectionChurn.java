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
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** A connection per request costs a handshake per request, with TLS most of its time. */
public final class ConnectionChurn extends Rule {
  public ConnectionChurn() {
    super(
        new About(
            "connection-churn",
            Area.SEARCH,
            "Clients open a connection per request",
            "in the window, 50 new HTTP connections per second or more on a node",
            "Each costs a handshake, buffers and threads; ports run out, and with TLS it is more work than the request.",
            "OpenSearch documentation, Nodes stats: http.total_opened",
            "requests share kept-alive connections"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long opened = node.grew("http.total_opened");
      if (node.windowMillis() > 0 && opened >= 50 && opened * 1_000 / node.windowMillis() >= 50) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("http.total_opened"),
                "+" + opened + " in " + Units.time(node.windowMillis()))
            .weigh(35);
      }
    }
    return diagnosis.saying(
        "Clients open connections all the time on " + diagnosis.names() + ".",
        Fix.advice(
            "Use one client object per process with keep-alive; let the load balancer keep connections to the nodes."));
  }
}
