package io.millrace.doctor.check.write;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Rejected bulks are lost unless the client sends them again; most shippers give up after a while.
 */
public final class WriteRejections extends Rule {
  /** Shards written to per data node from which each bulk is many small requests. */
  private static final int TORN = 30;

  public WriteRejections() {
    super(
        new About(
            "write-rejections",
            Area.WRITE,
            "Bulks are rejected",
            "the write (or bulk) pool has rejected tasks since the node started (error: also in the window)",
            "The pool is busy and its queue full, so the node answers HTTP 429. A client that does not send the bulk again"
                + " loses it: this is how log lines disappear at the daily peak.",
            "OpenSearch documentation, Thread pools; a field report: 16 threads busy, a queue of 200 full",
            "no bulk is refused; what could not be taken waits at the client"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<String> causes = new ArrayList<>();
    for (Node node : snapshot.nodes()) {
      String pool = "thread_pool." + node.writePool() + ".";
      long rejected = node.stat(pool + "rejected");
      long now = node.grew(pool + "rejected");
      if (rejected <= 0) {
        continue;
      }
      double share = 100.0 * rejected / Math.max(1, rejected + node.stat(pool + "completed"));
      diagnosis
          .found(now > 0 ? Severity.ERROR : Severity.WARN, node.name())
          .seen(
              node.statPath(pool + "rejected"),
              Units.number(rejected)
                  + ", "
                  + now
                  + " of them in the last "
                  + Units.time(node.windowMillis()))
          .seen(
              node.statPath(pool + "queue"),
              node.stat(pool + "queue") + ", active " + node.stat(pool + "active"))
          .weigh(75 + share);
      cause(node, snapshot, causes);
    }
    String cause =
        causes.isEmpty()
            ? ""
            : " Seen beside it: " + String.join("; ", new LinkedHashSet<>(causes)) + ".";
    return diagnosis.saying(
        "Bulks were rejected on " + diagnosis.names() + "." + cause,
        Fix.advice(
            "Take the causes first: findings on refresh, collections, shards per bulk and disks. Let clients send refused items"
                + " again with a growing delay, use fewer clients with larger bulks (5 to 15 MB), and only then a longer queue (write-queue-small)."));
  }

  private static void cause(Node node, Snapshot snapshot, List<String> causes) {
    long size = node.info("thread_pool." + node.writePool() + ".queue_size");
    if (size > 0 && size <= 200) {
      causes.add("a queue of " + size);
    }
    if (node.stat("indices.merges.current") > 2) {
      causes.add(node.stat("indices.merges.current") + " merges at once");
    }
    if (node.grew("indices.indexing.throttle_time_in_millis") > 0) {
      causes.add("indexing throttled by merges");
    }
    List<Long> all =
        snapshot.dataNodes().stream().map(n -> n.grew("indices.indexing.index_total")).toList();
    long sum = all.stream().mapToLong(Long::longValue).sum();
    if (all.size() > 1
        && node.grew("indices.indexing.index_total") * all.size() > 2 * sum
        && sum > 0) {
      causes.add("one node takes most of the writes");
    }
    long shards =
        snapshot.indices().stream()
            .filter(index -> index.written() > 0)
            .mapToLong(Index::primaries)
            .sum();
    if (shards > TORN * Math.max(1, snapshot.dataNodes().size())) {
      causes.add("bulks are torn apart by " + shards + " shards that are written to");
    }
    if (node.windowMillis() > 0
        && node.grew("fs.io_stats.total.io_time_in_millis") * 10 >= node.windowMillis() * 9) {
      causes.add("the disk is busy all the time");
    }
    if (Json.number(node.stats(), "os.cpu.percent") >= 90) {
      causes.add("the processors are busy");
    }
  }
}
