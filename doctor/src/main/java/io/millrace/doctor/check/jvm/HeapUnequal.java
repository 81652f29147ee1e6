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
import java.util.Optional;

/**
 * The heap is made smaller than it may grow: each growth is a collection, each shrinking another.
 */
public final class HeapUnequal extends Rule {

  public HeapUnequal() {
    super(
        new About(
            "heap-unequal",
            Area.JVM,
            "Smallest and largest heap differ",
            "a node's initial heap is not its maximum heap, and no -XX:SoftMaxHeapSize says that it is meant so",
            "The JVM starts with the smaller heap and asks for more in the middle of the load. Each step is a"
                + " collection that stops the node, and memory that was not there at the start may be swapped or missing later.",
            "OpenSearch documentation, Important settings: set Xms and Xmx to the same value",
            "no collections that only resize the heap; memory is taken once, at the start"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Fix fix = Fix.advice("");
    for (Node node : snapshot.nodes()) {
      long init = node.info("jvm.mem.heap_init_in_bytes");
      long max = node.info("jvm.mem.heap_max_in_bytes");
      // collectors round a survivor space away: a difference below 10 % is none that anybody set
      boolean meant = JvmFlags.value(node, "-XX:SoftMaxHeapSize=") != null;
      if (init > 0 && max > 0 && Math.abs(max - init) > max / 10 && !meant) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.infoPath("jvm.mem.heap_init_in_bytes"), Units.size(init))
            .seen(node.infoPath("jvm.mem.heap_max_in_bytes"), Units.size(max))
            .weigh(40);
        fix = Fix.config("jvm.options", JvmFlags.heapNow(node), JvmFlags.heap(max));
      }
    }
    return diagnosis.saying("Xms is not Xmx on " + diagnosis.names() + ".", fix);
  }
}
