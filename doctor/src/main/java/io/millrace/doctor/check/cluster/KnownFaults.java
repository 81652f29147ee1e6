package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Product;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Optional;

/** Versions with a hole or a fault that everybody knows by now. */
public final class KnownFaults extends Rule {
  public KnownFaults() {
    super(
        new About(
            "known-faults",
            Area.CLUSTER,
            "The version has known faults",
            "Elasticsearch before 6.8.22, or 7.0 to 7.16.1; OpenSearch before 1.2.3 (Log4Shell); info: a line that gets no fixes (Elasticsearch 6 and 7, OpenSearch 1)",
            "Log4j before 2.17 runs code that stands in a logged text. Lines without fixes keep every hole that is found from now on.",
            "CVE-2021-44228 and CVE-2021-45105; release notes of the versions named; the servers' pages on end of life",
            "known holes are closed"),
        Probe.ROOT);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Product product = snapshot.product();
    boolean seven = !product.opensearch() && product.major() == 7;
    boolean log4j =
        product.opensearchBefore(1, 2, 3)
            || product.elasticsearchBefore(6, 8, 22)
            || (seven && product.elasticsearchBefore(7, 16, 2));
    boolean ended = product.opensearchBefore(2, 0, 0) || product.elasticsearchBefore(8, 0, 0);
    if (product.major() > 0 && (log4j || ended)) {
      diagnosis
          .found(log4j ? Severity.WARN : Severity.INFO, product.toString())
          .seen(Probe.ROOT.shown() + ": version.number", product.number())
          .weigh(50);
    }
    return diagnosis.saying(
        product + (log4j ? " has a log library with known holes." : " gets no fixes any more."),
        Fix.advice(
            "Upgrade to the newest version of the line first, then to the next line, with a snapshot before."));
  }
}
