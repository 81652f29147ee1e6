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

/** What nobody maps is indexed twice: as text and as keyword. */
public final class TextKeywordDoubles extends Rule {
  public TextKeywordDoubles() {
    super(
        new About(
            "text-keyword-doubles",
            Area.MAPPING,
            "Strings are indexed twice",
            "20 fields or more of an index are text with a keyword below",
            "This is what a string becomes that no template maps. Both are written for every document; most need only the keyword, messages only the text.",
            "OpenSearch documentation, Dynamic mapping",
            "less CPU and disk per document, without a loss for what is searched"),
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      long doubles =
          Fields.of(index).values().stream()
              .filter(f ->
                  f.path("type").asText().equals("text")
                      && f.path("fields").findPath("type").asText().equals("keyword"))
              .count();
      if (doubles >= 20) {
        diagnosis
            .found(Severity.INFO, index.name())
            .seen(Fields.path(index, "text with keyword"), doubles);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " indexes strings as text and as keyword.",
        Fix.advice(
            "Add a dynamic template to the index template: {\"strings\":{\"match_mapping_type\":\"string\",\"mapping\":{\"type\":\"keyword\",\"ignore_above\":1024}}}; map messages as text."));
  }
}
