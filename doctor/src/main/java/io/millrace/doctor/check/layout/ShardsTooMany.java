package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** Every shard costs heap, files and a part of each cluster state, also when it is empty. */
public final class ShardsTooMany extends Rule {
  public ShardsTooMany() {
    super(
        new About(
            "shards-too-many",
            Area.LAYOUT,
            "Too many shards for the heap",
            "a node holds more than 25 shards per GB of heap and more than 100 shards",
            "Each shard has buffers, caches and open files, and its part of every cluster state. Restarts and changes of mappings slow down with their number.",
            "Elasticsearch guide, Size your shards: 20 shards or fewer per GB of heap",
            "less heap, quicker recovery and cluster states"),
        Probe.SHARDS,
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long shards = snapshot.shards().stream().filter(s -> s.node().equals(node.name())).count();
      double heap = node.info("jvm.mem.heap_max_in_bytes") / (double) (1L << 30);
      if (heap > 0 && shards > 100 && shards > 25 * heap) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(Shard.SHOWN + ": shards on " + node.name(), shards)
            .seen(
                node.infoPath("jvm.mem.heap_max_in_bytes"),
                Units.number(heap) + " GB, " + Units.number(shards / heap) + " shards per GB")
            .weigh(Math.min(80, shards / heap));
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " holds more shards than its heap is made for.",
        Fix.advice(
            "Give new indices fewer primaries (1 below 30 GB), roll over by size instead of by day, put small applications into one index, and delete or shrink old indices: POST /INDEX/_shrink/TARGET."));
  }
}
