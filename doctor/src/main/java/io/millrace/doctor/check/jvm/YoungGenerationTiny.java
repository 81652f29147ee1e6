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

/** CMS computes its young generation from the number of threads: of 20 GB it may take 1 GB. */
public final class YoungGenerationTiny extends Rule {
  private static final double LEAST = 1.0 / 6;

  public YoungGenerationTiny() {
    super(
        new About(
            "young-generation-tiny",
            Area.JVM,
            "The young generation is far too small",
            "a collector with fixed generations (CMS, Parallel, Serial) gives the young one less than a sixth of a heap of 2 GB or more",
            "Eden fills in parts of a second, so collections stop the node all the time, and documents of the bulk in"
                + " flight are moved to the old generation, which fills and is collected in full. Under CMS the JVM computes"
                + " the size from the number of its threads when nobody sets it; a ratio of 1 to 19 has been seen where 1 to 2 was expected.",
            "HotSpot: CMSYoungGenPerWorker sets the default size of the young generation under CMS; a field report of a"
                + " 20 GB heap with 1,081 MB of it",
            "young collections a tenth as often, full ones an eighth, a quarter of the time in collections (the same field report)"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Fix fix = Fix.advice("");
    for (Node node : snapshot.nodes()) {
      long heap = node.info("jvm.mem.heap_max_in_bytes");
      long young =
          node.stat("jvm.mem.pools.young.max_in_bytes")
              + 2 * node.stat("jvm.mem.pools.survivor.max_in_bytes");
      boolean fixed = node.collector("ParNew") || node.collector("PS ") || node.collector("Copy");
      if (fixed && heap >= JvmFlags.TWO_GB && young > 0 && young < heap * LEAST) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("jvm.mem.pools.young.max_in_bytes"),
                Units.size(node.stat("jvm.mem.pools.young.max_in_bytes")))
            .seen(node.infoPath("jvm.mem.heap_max_in_bytes"), Units.size(heap))
            .seen("young : old", "1 : " + Units.number(Math.round((double) (heap - young) / young)))
            .weigh(95);
        long half = Math.max(1, heap >> 31);
        fix =
            Fix.config(
                "jvm.options",
                List.of(),
                List.of("-XX:NewSize=" + half + "g", "-XX:MaxNewSize=" + half + "g"));
      }
    }
    return diagnosis.saying(
        "The young generation of " + diagnosis.names() + " is a small part of the heap.", fix);
  }
}
