package io.millrace.doctor.check.write;

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

/** Much of the time of writing goes into making it visible. */
public final class RefreshTime extends Rule {
  public RefreshTime() {
    super(
        new About(
            "refresh-time",
            Area.WRITE,
            "Refreshes take a large part of the work of writing",
            "in the window, refreshes took more than half of the time that indexing took, and at least 10 % of the window",
            "Refreshes write segments; many small ones cost more CPU, more merges and slower searches.",
            "OpenSearch documentation, Tune for indexing speed: increase the refresh interval",
            "larger segments, fewer merges"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long refresh = node.grew("indices.refresh.total_time_in_millis");
      long index = node.grew("indices.indexing.index_time_in_millis");
      if (refresh > index / 2 && refresh > node.windowMillis() / 10 && index > 0) {
        diagnosis
            .found(Severity.INFO, node.name())
            .seen(node.statPath("indices.refresh.total_time_in_millis"), "+" + Units.time(refresh))
            .seen(node.statPath("indices.indexing.index_time_in_millis"), "+" + Units.time(index));
      }
    }
    return diagnosis.saying(
        "Refreshes take much of the time of " + diagnosis.names() + ".",
        Fix.advice(
            "Raise index.refresh_interval of the busiest indices, to 30s for logs, and ask clients not to send refresh=true."));
  }
}
