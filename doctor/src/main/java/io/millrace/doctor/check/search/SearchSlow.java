package io.millrace.doctor.check.search;

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

/** Searches that take seconds on average. */
public final class SearchSlow extends Rule {
  public SearchSlow() {
    super(
        new About(
            "search-slow",
            Area.SEARCH,
            "Searches are slow",
            "in the window, 10 shard queries or more took a second or more each on average",
            "A search takes as long as its slowest shard, and a thread is taken for all of it.",
            "OpenSearch documentation, Nodes stats: indices.search",
            "answers within a second"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long queries = node.grew("indices.search.query_total");
      long millis = node.grew("indices.search.query_time_in_millis");
      if (queries >= 10 && millis / queries >= 1_000) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("indices.search.query_time_in_millis"),
                Units.time((double) millis / queries) + " each, " + queries + " queries")
            .weigh(45);
      }
    }
    return diagnosis.saying(
        "Queries of " + diagnosis.names() + " take a second or more.",
        Fix.advice(
            "Switch on index.search.slowlog.threshold.query.warn: 2s for the indices, and look for wildcards, scripts, deep paging and large aggregations."));
  }
}
