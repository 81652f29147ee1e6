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
 * Above about 32 GB every reference takes twice the room: a 40 GB heap holds less than a 31 GB one.
 */
public final class CompressedOopsLost extends Rule {

  public CompressedOopsLost() {
    super(
        new About(
            "compressed-oops-lost",
            Area.JVM,
            "The heap is too large for compressed references",
            "using_compressed_ordinary_object_pointers is false, and the collector is not ZGC",
            "Above about 32 GB the JVM stores references in 8 bytes instead of 4. The heap holds less than one of 31 GB did"
                + " until it is about 48 GB, and caches of the processor hold half as many references.",
            "Elasticsearch guide, Heap size settings: stay below the threshold for compressed ordinary object pointers",
            "the same objects take about a third less heap; the memory goes to the file cache"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Fix fix = Fix.advice("");
    for (Node node : snapshot.nodes()) {
      long max = node.info("jvm.mem.heap_max_in_bytes");
      boolean lost = node.text("jvm.using_compressed_ordinary_object_pointers").equals("false");
      if (lost && !node.collector("ZGC") && max > 4L << 30) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.infoPath("jvm.using_compressed_ordinary_object_pointers"), "false")
            .seen(node.infoPath("jvm.mem.heap_max_in_bytes"), Units.size(max))
            .weigh(max < 48L << 30 ? 70 : 30);
        fix = Fix.config("jvm.options", JvmFlags.heapNow(node), JvmFlags.heap(31L << 30));
      }
    }
    return diagnosis.saying(diagnosis.names() + " cannot compress references.", fix);
  }
}
