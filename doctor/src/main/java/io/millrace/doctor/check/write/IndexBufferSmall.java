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
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Optional;

/** Below a few megabytes per shard the buffer is written out all the time. */
public final class IndexBufferSmall extends Rule {
  public IndexBufferSmall() {
    super(
        new About(
            "index-buffer",
            Area.WRITE,
            "The index buffer is spread over too many shards",
            "less than 4 MB of indices.memory.index_buffer_size per primary shard that was written to in the window, with 20 of them or more on a node's share",
            "All shards of a node share one buffer, 10 % of the heap. When each gets a few megabytes, it writes tiny segments that have to be merged again and again.",
            "OpenSearch documentation, indices.memory.index_buffer_size",
            "larger first segments, fewer merges"),
        Probe.NODES,
        Probe.INDEX_STATS,
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    int nodes = Math.max(1, snapshot.dataNodes().size());
    long active =
        snapshot.userIndices().stream()
                .filter(i -> i.written() > 0)
                .mapToLong(i -> (long) i.primaries() * (1 + i.replicas()))
                .sum()
            / nodes;
    for (Node node : snapshot.dataNodes()) {
      long buffer = node.info("jvm.mem.heap_max_in_bytes") / 10;
      String set = node.setting("indices.memory.index_buffer_size");
      if (set != null && Units.bytes(set) > 0) {
        buffer = Units.bytes(set);
      } else if (set != null && set.matches("\\d{1,2}%")) {
        buffer =
            node.info("jvm.mem.heap_max_in_bytes")
                * Integer.parseInt(set.substring(0, set.length() - 1))
                / 100;
      }
      if (active >= 20 && buffer / active < 4L << 20) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.infoPath("settings.indices.memory.index_buffer_size"), Units.size(buffer))
            .seen(Probe.INDEX_STATS.shown() + ": shards written to per node", active)
            .weigh(35);
      }
    }
    return diagnosis.saying(
        "The index buffer of " + diagnosis.names() + " is small for its active shards.",
        Fix.config(
                snapshot.product().nodeFile(),
                List.of(),
                List.of("indices.memory.index_buffer_size: 20%"))
            .and("Fewer shards per index are the better cure."));
  }
}
