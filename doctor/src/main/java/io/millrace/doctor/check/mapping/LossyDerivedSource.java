package io.millrace.doctor.check.mapping;

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

/** A combination that loses data without an error. */
public final class LossyDerivedSource extends Rule {
  public LossyDerivedSource() {
    super(
        new About(
            "derived-source-loses",
            Area.MAPPING,
            "Fields are lost under a derived source",
            "index.derived_source.enabled is true and a field is match_only_text",
            "The source is put together from the fields, and match_only_text keeps nothing to do it from: on 3.8.0 the document comes back without the field, and phrases match nothing.",
            "reproduced on OpenSearch 3.8.0",
            "new documents come back whole; those that were written meanwhile have lost the field"),
        Probe.INDEX_SETTINGS,
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      if ("true".equals(index.setting("index.derived_source.enabled"))) {
        Fields.of(index)
            .forEach((name, field) -> {
              if (field.path("type").asText().equals("match_only_text")) {
                diagnosis
                    .found(Severity.ERROR, index.name())
                    .seen(Fields.path(index, name), "match_only_text")
                    .weigh(95);
              }
            });
      }
    }
    return diagnosis.saying(
        "Documents of " + diagnosis.names() + " lose fields.",
        Fix.advice(
            "Write to a new index without index.derived_source.enabled, or with the field as text that is stored; send the documents again from their origin."));
  }
}
