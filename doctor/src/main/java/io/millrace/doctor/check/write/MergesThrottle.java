package io.millrace.doctor.check.write;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** Merges cannot keep up, so the server slows writing down to one thread per shard. */
public final class MergesThrottle extends Rule {
  public MergesThrottle() {
    super(
        new About(
            "indexing-throttled",
            Area.WRITE,
            "Writing is throttled because merges lag",
            "throttle_time_in_millis of indexing grew in the window, or a shard is throttled now",
            "When more merges wait than threads allow, a shard takes writes with one thread only until they are done: bulks queue behind it.",
            "OpenSearch InternalEngine: merge scheduler activates throttling above max_merge_count",
            "writing goes on with all threads"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long grew = node.grew("indices.indexing.throttle_time_in_millis");
      boolean now = Json.at(node.stats(), "indices.indexing.is_throttled").asBoolean();
      if (grew > 0 || now) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("indices.indexing.throttle_time_in_millis"), "+" + Units.time(grew))
            .seen(node.statPath("indices.merges.current"), node.stat("indices.merges.current"))
            .weigh(80);
      }
    }
    return diagnosis.saying(
        "Merges slow down writing on " + diagnosis.names() + ".",
        Fix.advice(
            "Raise the refresh interval so that segments start larger, give merges more threads on SSDs (merge-threads), and spread the busiest index over more nodes."));
  }
}
