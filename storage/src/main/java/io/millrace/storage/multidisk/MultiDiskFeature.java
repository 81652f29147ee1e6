package io.millrace.storage.multidisk;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/**
 * New shards on a node with several {@code path.data} are spread by the capacity of the disks.
 *
 * <p>Why: stock puts every new one-shard index on the disk with the most free bytes, 40 of 40 in a
 * row (its tie-breakers count shards of the same index only, IndexService#getShardPath and
 * ShardPath#selectNewPathForShard at 3.8.0), so that all writing goes to one disk while the others
 * idle.
 *
 * <p>On by default: with one data path, which is nearly every node, it does nothing; with several,
 * whoever configured them wants them used; and every doubt or error leaves the choice to stock.
 *
 * <p>Sources: promise several-disks; docs/multi-disk-measured.md for what was measured.
 */
public final class MultiDiskFeature implements Feature {
  private static final String ID = "storage.multi-disk";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<TimeValue> young =
      new Knob<>(
          Checked.time(
              Feature.prefix(ID) + ".young",
              TimeValue.timeValueHours(24),
              TimeValue.timeValueMinutes(1),
              Property.NodeScope,
              Property.Dynamic),
          "How long after its creation an index counts as one that is still written. "
              + "Shards of such indices are spread over the disks. Set it to the rollover "
              + "period of the logs, at least `1m`.");
  private volatile @Nullable DiskPlacement placement;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "New shards on a node with several `path.data` are spread by the capacity of the disks";
  }

  @Override
  public List<String> sources() {
    return List.of("several-disks");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(young);
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.index(module -> {
      DiskPlacement listener = placement;
      if (listener != null) {
        module.addIndexEventListener(listener);
      }
    });
  }

  @Override
  public void start(NodeServices services) {
    ClusterSettings updates = services.clusterService().getClusterSettings();
    placement =
        new DiskPlacement(
            services.nodeEnvironment(),
            new DiskThresholdSettings(services.environment().settings(), updates),
            enabled::on,
            () -> young.value().millis(),
            System::currentTimeMillis);
  }

  @Nullable DiskPlacement placement() {
    return placement;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "placed", "shards", "New shards given a data path", () -> count(p -> p.placed.sum())),
        Metric.counter(
            "declined",
            "shards",
            "Shards on nodes with several data paths that stock placed: not new, or no disk "
                + "below the watermark",
            () -> count(p -> p.declined.sum())),
        Metric.counter(
            "failed",
            "attempts",
            "Attempts to place a shard on a data path that could not be written to",
            () -> count(p -> p.failed.sum())),
        perDisk("young", "shards", "Shards of young indices on a data path", disk -> disk.young()),
        perDisk("total", "bytes", "Size of the data path's file system", Disk::total),
        perDisk("usable", "bytes", "Bytes that may still be written there", Disk::usable));
  }

  private long count(Function<DiskPlacement, Long> value) {
    DiskPlacement now = placement;
    return now == null ? 0 : value.apply(now);
  }

  private Metric perDisk(String name, String unit, String doc, ToLongFunction<Disk> value) {
    return new Metric(name, Kind.GAUGE, unit, doc, Merge.SUM, () -> samples(value));
  }

  private List<Sample> samples(ToLongFunction<Disk> value) {
    DiskPlacement now = placement;
    try {
      return now == null
          ? List.of()
          : now.disks(null).stream()
              .map(disk ->
                  new Sample(Map.of("path", disk.path().toString()), value.applyAsLong(disk)))
              .toList();
    } catch (IOException | RuntimeException e) {
      return List.of(); // the node is closing, or a disk is gone
    }
  }
}
