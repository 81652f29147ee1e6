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

/** A pipeline that fails drops documents, and one that is slow is paid for by every document. */
public final class IngestFailures extends Rule {
  public IngestFailures() {
    super(
        new About(
            "ingest-pipelines",
            Area.WRITE,
            "Ingest pipelines fail or are slow",
            "ingest.total.failed is above 1 % of its documents and above 100, or pipelines take 1 ms per document or more in the window",
            "A document whose pipeline fails is refused. A millisecond per document, usually a grok with alternatives, is more than indexing it costs.",
            "OpenSearch documentation, Nodes stats: ingest; Lucene takes tens of microseconds for a log document",
            "documents are not lost; processors are free for indexing"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long count = node.stat("ingest.total.count");
      long failed = node.stat("ingest.total.failed");
      if (failed > 100 && failed > count / 100) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("ingest.total.failed"), failed + " of " + count)
            .weigh(50);
      }
      long documents = node.grew("ingest.total.count");
      long millis = node.grew("ingest.total.time_in_millis");
      if (documents > 1_000 && millis >= documents) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("ingest.total.time_in_millis"),
                Units.number((double) millis / documents) + " ms per document")
            .weigh(45);
      }
    }
    return diagnosis.saying(
        "Ingest pipelines fail or are slow on " + diagnosis.names() + ".",
        Fix.advice(
            "GET /_nodes/stats/ingest names the processor. Anchor grok patterns with ^, put the likeliest first, use dissect where the form is fixed, or parse at the shipper."));
  }
}
