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

/** At the limit of fields documents are refused; on the way there every document is slower. */
public final class FieldsMany extends Rule {
  public FieldsMany() {
    super(
        new About(
            "fields-many",
            Area.MAPPING,
            "A mapping explodes",
            "an index has 80 % of index.mapping.total_fields.limit (1,000 unless set), or more than 5,000 fields",
            "Each field is part of the cluster state and costs heap on every node. At the limit documents with a new field are refused. Usually a map of ids is logged as an object.",
            "OpenSearch documentation, index.mapping.total_fields.limit",
            "documents are not refused; cluster states stay small"),
        Probe.INDEX_SETTINGS,
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      String set = index.setting("index.mapping.total_fields.limit");
      long limit = set != null && set.matches("\\d{1,9}") ? Long.parseLong(set) : 1_000;
      int fields = Fields.of(index).size();
      if (fields > limit * 0.8 || fields > 5_000) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(Fields.path(index, "fields"), fields + " of " + limit)
            .weigh(60);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " has too many fields.",
        Fix.advice(
            "Map the object whose keys are data as flat_object (OpenSearch) or flattened (Elasticsearch), or set dynamic: false on it, in the template of the next index."));
  }
}
