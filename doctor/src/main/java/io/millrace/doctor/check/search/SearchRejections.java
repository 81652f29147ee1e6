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

/** A search that is rejected is an empty board. */
public final class SearchRejections extends Rule {
  public SearchRejections() {
    super(
        new About(
            "search-rejections",
            Area.SEARCH,
            "Searches are rejected",
            "the search pool has rejected tasks (error: also in the window)",
            "Each shard of a search is a task. Boards over many indices fill the queue of 1,000 with a few clicks.",
            "OpenSearch documentation, Thread pools",
            "boards show their figures"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long rejected = node.stat("thread_pool.search.rejected");
      if (rejected > 0) {
        boolean now = node.grew("thread_pool.search.rejected") > 0;
        diagnosis
            .found(now ? Severity.ERROR : Severity.WARN, node.name())
            .seen(node.statPath("thread_pool.search.rejected"), Units.number(rejected))
            .weigh(55);
      }
    }
    return diagnosis.saying(
        "Searches were rejected on " + diagnosis.names() + ".",
        Fix.advice(
            "Fewer shards per search: indices named by date, fewer primaries, boards over hours instead of weeks. Stop runaways: GET /_tasks?actions=*search* and POST /_tasks/ID/_cancel."));
  }
}
