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
import java.util.List;
import java.util.Optional;

/** A queue of 200 holds less than a second of small bulks: a short peak becomes a loss. */
public final class WriteQueueSmall extends Rule {
  public WriteQueueSmall() {
    super(
        new About(
            "write-queue-small",
            Area.WRITE,
            "The queue of writes is short",
            "queue_size of the write pool is 1,000 or less (warn: tasks were rejected, or somebody set it)",
            "The queue takes up peaks; it makes nothing faster. With 200 places, the default up to Elasticsearch 7.8, a peak of"
                + " a second is refused. Newer servers limit the bytes in flight instead and give the queue 10,000 places.",
            "Elasticsearch 7.9 release notes: indexing pressure and a write queue of 10,000; a field report used 10,000 on 6.3",
            "short peaks wait instead of being refused"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      String pool = "thread_pool." + node.writePool();
      long size = node.info(pool + ".queue_size");
      long rejected = node.stat(pool + ".rejected");
      if (size > 0 && size <= 1_000) {
        boolean set = node.setting(pool + ".queue_size") != null;
        diagnosis
            .found(rejected > 0 || set ? Severity.WARN : Severity.INFO, node.name())
            .seen(node.infoPath(pool + ".queue_size"), size)
            .seen(node.statPath(pool + ".rejected"), rejected)
            .weigh(rejected > 0 ? 70 : 10);
      }
    }
    String pool = snapshot.nodes().isEmpty() ? "write" : snapshot.nodes().getFirst().writePool();
    return diagnosis.saying(
        "The queue of the write pool of " + diagnosis.names() + " is short.",
        Fix.config(
                snapshot.product().nodeFile(),
                List.of(),
                List.of("thread_pool." + pool + ".queue_size: 10000"))
            .and(
                "Queued bulks take heap: with bulks of 10 MB let the clients' number, not the queue, be the limit."));
  }
}
