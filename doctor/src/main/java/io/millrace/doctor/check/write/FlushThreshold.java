package io.millrace.doctor.check.write;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Up to 1.5 times the index buffer may wait for a flush; with a larger threshold writes are
 * throttled.
 */
public final class FlushThreshold extends Rule {
  public FlushThreshold() {
    super(
        new About(
            "flush-threshold",
            Area.WRITE,
            "The flush threshold does not fit the index buffer",
            "index.translog.flush_threshold_size is set above 1.5 times the node's index buffer, divided by the indices written to (4 at most), or below 64 MB",
            "Above that the buffer fills before a flush frees it: writing is throttled and the heap is not given back. Far below"
                + " it the shard commits all the time and leaves small segments.",
            "a field report on Elasticsearch writes: not over indexBufferSize x 1.5 / large indices written at once; default 512mb",
            "larger first segments, fewer commits, no throttling"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    long heap =
        snapshot.dataNodes().stream()
            .mapToLong(n -> n.info("jvm.mem.heap_max_in_bytes"))
            .min()
            .orElse(0);
    List<Index> busy =
        snapshot.userIndices().stream().filter(i -> Written.busy(snapshot, i)).toList();
    int hot = (int) Math.max(1, Math.min(4, busy.size()));
    long most = (long) (heap * buffer(snapshot) * 1.5 / hot);
    List<Index> found = new ArrayList<>();
    for (Index index : busy) {
      String set = index.setting("index.translog.flush_threshold_size");
      long bytes = Units.bytes(set);
      // the profiles of this product set 1gb, which a heap of 7 GB or more bears
      if (bytes > 0 && heap > 0 && (bytes > Math.max(most, 1L << 30) || bytes < 64L << 20)) {
        found.add(index);
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(index.settingPath("index.translog.flush_threshold_size"), set)
            .seen(Probe.NODES.shown() + ": index buffer x 1.5 / " + hot, Units.size(most))
            .weigh(45);
      }
    }
    Map<String, @Nullable String> wanted = new TreeMap<>();
    wanted.put("index.translog.flush_threshold_size", null);
    return diagnosis.saying(
        "The flush threshold of " + diagnosis.names() + " does not fit the buffer.",
        SettingsChange.index(found, wanted));
  }

  /** Share of the heap that buffers documents. */
  private static double buffer(Snapshot snapshot) {
    for (Node node : snapshot.dataNodes()) {
      String set = node.setting("indices.memory.index_buffer_size");
      if (set != null && set.matches("\\d{1,2}(\\.\\d+)?%")) {
        return Double.parseDouble(set.substring(0, set.length() - 1)) / 100;
      }
    }
    return 0.1;
  }
}
