package io.millrace.doctor.check.write;

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
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/**
 * Documents that are refused are silently missing when nobody reads the items of a bulk's answer.
 */
public final class IndexingFailures extends Rule {
  public IndexingFailures() {
    super(
        new About(
            "indexing-failures",
            Area.WRITE,
            "Documents fail to be indexed",
            "index_failed is more than 1 % of an index's operations, and more than 100",
            "A document whose value does not fit the mapping, or whose version conflicts, is refused in the item of its bulk. Shippers that read only the status of the bulk lose it.",
            "OpenSearch documentation, Bulk: errors and items",
            "every document arrives, or its error is seen"),
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      long failed = index.stat("primaries.indexing.index_failed");
      long total = index.stat("primaries.indexing.index_total");
      if (failed > 100 && failed > (total + failed) / 100) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.statPath("primaries.indexing.index_failed"),
                Units.number(failed) + " of " + Units.number(total + failed))
            .weigh(55);
      }
    }
    return diagnosis.saying(
        "Documents were refused by " + diagnosis.names() + ".",
        Fix.advice(
            "Read items[].index.error of a bulk's answer. For wrong values: index.mapping.ignore_malformed in the template, or cure the sender; for conflicts: fewer retries with the same id."));
  }
}
