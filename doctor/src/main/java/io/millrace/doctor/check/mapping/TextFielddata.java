package io.millrace.doctor.check.mapping;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** Field data of text fields puts every term of every document onto the heap. */
public final class TextFielddata extends Rule {
  public TextFielddata() {
    super(
        new About(
            "text-fielddata",
            Area.MAPPING,
            "Text fields are sorted or aggregated on the heap",
            "a text field has fielddata: true, or field data takes 10 % of a node's heap",
            "The terms of all documents are turned around and kept on the heap until they are evicted. It trips breakers and fills the old generation.",
            "OpenSearch documentation, Text field: fielddata",
            "the heap is free; doc values of a keyword are read from files"),
        Probe.MAPPINGS,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      Fields.of(index)
          .forEach((name, field) -> {
            if (field.path("fielddata").asBoolean()) {
              diagnosis
                  .found(Severity.WARN, index.name())
                  .seen(Fields.path(index, name), "fielddata: true")
                  .weigh(40);
            }
          });
    }
    for (Node node : snapshot.nodes()) {
      long bytes = node.stat("indices.fielddata.memory_size_in_bytes");
      long heap = node.stat("jvm.mem.heap_max_in_bytes");
      if (heap > 0 && bytes > heap / 10) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("indices.fielddata.memory_size_in_bytes"), Units.size(bytes))
            .weigh(60);
      }
    }
    return diagnosis.saying(
        "Field data takes heap: " + diagnosis.names() + ".",
        Fix.advice(
            "Aggregate on a keyword below the field instead, and limit indices.fielddata.cache.size to 20%."));
  }
}
