package io.millrace.doctor.check.write;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
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
 * A translog file that is rolled less often than the shard flushes keeps flushes from trimming it.
 */
public final class GenerationThreshold extends Rule {
  public GenerationThreshold() {
    super(
        new About(
            "generation-threshold",
            Area.WRITE,
            "Translog files are larger than what a flush trims",
            "index.translog.generation_threshold_size is not below flush_threshold_size, one of them being set",
            "A flush drops whole files of the translog. With files as large as the threshold the present one is never"
                + " dropped, the shard flushes again at once, and writing is throttled.",
            "a field report on Elasticsearch writes: generation_threshold_size must be less than flush_threshold_size",
            "each flush trims the translog"),
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      String generation = index.setting("index.translog.generation_threshold_size");
      String flush = index.setting("index.translog.flush_threshold_size");
      long file = generation == null ? 64L << 20 : Units.bytes(generation);
      long most = flush == null ? 512L << 20 : Units.bytes(flush);
      if ((generation != null || flush != null) && file > 0 && most > 0 && file >= most) {
        found.add(index);
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.settingPath("index.translog.generation_threshold_size"),
                generation == null ? "64mb (default)" : generation)
            .seen(
                index.settingPath("index.translog.flush_threshold_size"),
                flush == null ? "512mb (default)" : flush)
            .weigh(50);
      }
    }
    Map<String, @Nullable String> wanted = new TreeMap<>();
    wanted.put("index.translog.generation_threshold_size", null);
    wanted.put("index.translog.flush_threshold_size", null);
    return diagnosis.saying(
        diagnosis.names() + " rolls translog files as large as its flush threshold.",
        SettingsChange.index(found, wanted));
  }
}
