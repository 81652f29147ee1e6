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

/** More writing threads than processors make nothing faster: they wait for each other. */
public final class WritePoolOversized extends Rule {
  public WritePoolOversized() {
    super(
        new About(
            "write-pool-size",
            Area.WRITE,
            "The write pool has another size than the processors ask for",
            "thread_pool.write.size is set, to fewer threads than three quarters of the processors",
            "The pool has a thread per processor. With fewer, processors are idle while bulks wait; more than one above is refused by the server.",
            "OpenSearch ThreadPool: the write pool is fixed, its largest size is processors + 1",
            "every processor can write"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      String size = node.setting("thread_pool.write.size");
      long processors = node.info("os.allocated_processors");
      if (size != null && size.matches("\\d{1,5}") && Integer.parseInt(size) < processors * 0.75) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.infoPath("settings.thread_pool.write.size"), size)
            .seen(node.infoPath("os.allocated_processors"), processors)
            .weigh(40);
      }
    }
    return diagnosis.saying(
        "The write pool of " + diagnosis.names() + " is smaller than its processors.",
        Fix.config(
            snapshot.product().nodeFile(), List.of("thread_pool.write.size: ..."), List.of()));
  }
}
