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
import java.util.Optional;

/** Scrolls that nobody closes keep deleted files and heap. */
public final class ContextsOpen extends Rule {
  public ContextsOpen() {
    super(
        new About(
            "contexts-open",
            Area.SEARCH,
            "Many scrolls are open",
            "a node has more than 400 open search contexts; 500 is the limit for scrolls",
            "Each keeps the segments of its moment: merged files are not deleted, and heap is held. At the limit new scrolls fail.",
            "OpenSearch documentation, search.max_open_scroll_context",
            "disk and heap are given back"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long open = node.stat("indices.search.open_contexts");
      if (open > 400) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("indices.search.open_contexts"), open)
            .weigh(40);
      }
    }
    return diagnosis.saying(
        "Scrolls stay open on " + diagnosis.names() + ".",
        Fix.call(
                "DELETE",
                "/_search/scroll/_all",
                null,
                "Clients whose scroll is cleared begin again.")
            .and("Shorten the keep-alive that clients ask for, and close scrolls in them."));
  }
}
