package io.millrace.doctor.check.jvm;

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
import java.util.List;
import java.util.Optional;

/** A heap that is swapped out turns collections of milliseconds into minutes. */
public final class SwapUsed extends Rule {

  public SwapUsed() {
    super(
        new About(
            "swap",
            Area.JVM,
            "The heap can be swapped out",
            "the machine has swap and the node does not lock its memory (error: swap is in use)",
            "A collection touches the whole heap. Pages that were swapped out are read back from disk one by one, so a"
                + " collection takes minutes instead of milliseconds and the node leaves the cluster.",
            "OpenSearch documentation, Important settings: disable swapping; bootstrap.memory_lock",
            "collections never wait for the disk"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long swap = node.stat("os.swap.total_in_bytes");
      long used = node.stat("os.swap.used_in_bytes");
      if (swap > 0 && node.text("process.mlockall").equals("false")) {
        diagnosis
            .found(used > 64L << 20 ? Severity.ERROR : Severity.WARN, node.name())
            .seen(
                node.statPath("os.swap.used_in_bytes"),
                Units.size(used) + " of " + Units.size(swap))
            .seen(node.infoPath("process.mlockall"), "false")
            .weigh(used > 64L << 20 ? 85 : 45);
      }
    }
    return diagnosis.saying(
        "The memory of " + diagnosis.names() + " may be swapped out.",
        Fix.config(snapshot.product().nodeFile(), List.of(), List.of("bootstrap.memory_lock: true"))
            .and(
                "The service needs LimitMEMLOCK=infinity. Or: swapoff -a and no swap in /etc/fstab; at least vm.swappiness = 1 in /etc/sysctl.conf."));
  }
}
