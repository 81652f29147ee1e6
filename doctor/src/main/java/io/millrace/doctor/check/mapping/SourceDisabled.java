package io.millrace.doctor.check.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Optional;

/** Without a source nothing can be reindexed, updated or highlighted. */
public final class SourceDisabled extends Rule {
  public SourceDisabled() {
    super(
        new About(
            "source-disabled",
            Area.MAPPING,
            "Documents are not kept",
            "_source is disabled in a mapping",
            "A document cannot be read back, updated or reindexed into a better mapping; a change of version may strand the index.",
            "OpenSearch documentation, _source field",
            "documents can be read and moved"),
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      JsonNode enabled = index.mapping().findPath("_source").path("enabled");
      if (enabled.isBoolean() && !enabled.asBoolean()) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(Fields.path(index, "_source.enabled"), false)
            .weigh(30);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " does not keep its documents.",
        Fix.advice(
            "Remove _source.enabled: false from the template; for disk use index.codec: best_compression instead."));
  }
}
