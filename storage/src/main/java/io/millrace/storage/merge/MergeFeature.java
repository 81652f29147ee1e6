package io.millrace.storage.merge;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.TieredMergePolicyProvider;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.monitor.os.OsProbe;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Merges that keep time apart, per index, and merges of shards that nobody writes to any more.
 *
 * <p>Sources: promise time-merges; EngineConfig#getMergePolicy and IndexSettings#getMergePolicy for
 * stock's policies at 3.8.0; docs/merge.md.
 */
public final class MergeFeature implements Feature {
  private static final String ID = "storage.merge";
  private static final TimeValue LOOK_EVERY = TimeValue.timeValueMinutes(1);

  /** What {@code index.millrace.merge.policy} may be. */
  public enum Policy {
    /** What stock's {@code index.merge.policy} says. */
    STOCK,
    /** Neighbours in time, of similar size. */
    TIME_TIERED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Policy parse(String name) {
      for (Policy each : values()) {
        if (each.toString().equals(name)) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          "[index.millrace.merge.policy] is ["
              + name
              + "]; use one of "
              + Arrays.toString(values()));
    }
  }

  public static final Setting<Policy> POLICY =
      new Setting<>(
          "index.millrace.merge.policy",
          Policy.STOCK.toString(),
          Policy::parse,
          Property.IndexScope);

  public static final Setting<String> TIME_FIELD =
      new Setting<>(
          "index.millrace.merge.time_field",
          "@timestamp",
          Function.identity(),
          Property.IndexScope);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<TimeValue> coldAfter =
      new Knob<>(
          Checked.time(
              Feature.prefix(ID) + ".cold_after",
              TimeValue.MINUS_ONE,
              TimeValue.MINUS_ONE,
              Property.NodeScope,
              Property.Dynamic),
          "A shard without a write for this long is merged to as few segments as the "
              + "largest allowed segment permits, one shard at a time on each node. `-1` merges "
              + "none.");
  private final Knob<Integer> coldMaxCpu =
      new Knob<>(
          Setting.intSetting(
              Feature.prefix(ID) + ".cold_max_cpu",
              50,
              0,
              100,
              Property.NodeScope,
              Property.Dynamic),
          "While the machine's CPU is busier than this percentage, no merge of a cold "
              + "shard starts.");

  private volatile @Nullable ColdMerges coldMerges;
  private volatile Scheduler.@Nullable Cancellable looking;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`index.millrace.merge.policy: time_tiered` merges segments that are neighbours "
        + "in time; shards without writes are merged while the node is idle";
  }

  @Override
  public List<String> sources() {
    return List.of("time-merges");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            POLICY,
            "`stock`: what `index.merge.policy` says. `time_tiered`: segments are merged "
                + "with their neighbours in time. A closed index can be given another policy."),
        new Knob<>(
            TIME_FIELD,
            "The indexed date field by which `time_tiered` orders segments. Where the "
                + "mapping does not have it, segments are ordered as they were written."),
        coldAfter,
        coldMaxCpu);
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.leftOutOfProfiles(
        LeftOut.ofWritten(
            POLICY.getKey(),
            "time_tiered leaves more segments than stock's policy, for which every search without a"
                + " range of time pays; worth it where writers lag"));
    hooks.leftOutOfProfiles(
        LeftOut.ofWritten(
            coldAfter.setting().getKey(),
            "a setting of the cluster, which rewrites whole shards; what searches gain is not measured"));
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            return POLICY.get(settings.getSettings()) == Policy.TIME_TIERED;
          }

          @Override
          public EngineConfig configure(EngineConfig config) {
            return enabled.on() && wants(config.getIndexSettings()) ? timeTiered(config) : config;
          }
        });
    hooks.index(module -> {
      ColdMerges listener = coldMerges;
      if (listener != null) {
        module.addIndexEventListener(listener);
      }
    });
  }

  private static EngineConfig timeTiered(EngineConfig config) {
    IndexSettings index = config.getIndexSettings();
    MergePolicy stock = config.getMergePolicy();
    if (stock instanceof NoMergePolicy) {
      return config;
    }
    return config.toBuilder()
        .mergePolicy(
            new TimeTieredMergePolicy(
                stock,
                TIME_FIELD.get(index.getSettings()),
                () -> floor(index),
                () -> maximum(index)))
        .build();
  }

  static long floor(IndexSettings index) {
    return TieredMergePolicyProvider.INDEX_MERGE_POLICY_FLOOR_SEGMENT_SETTING
        .get(index.getSettings())
        .getBytes();
  }

  static long maximum(IndexSettings index) {
    return Math.max(
        1,
        TieredMergePolicyProvider.INDEX_MERGE_POLICY_MAX_MERGED_SEGMENT_SETTING
            .get(index.getSettings())
            .getBytes());
  }

  @Override
  public void start(NodeServices services) {
    Settings settings = services.environment().settings();
    ClusterSettings updates = services.clusterService().getClusterSettings();
    ThreadPool threads = services.threadPool();
    ColdMerges cold =
        new ColdMerges(
            new ColdMerges.Limits(
                () -> enabled.on() ? coldAfter.value().millis() : -1,
                coldMaxCpu::value,
                OsProbe.getInstance()::getSystemCpuPercent),
            new DiskThresholdSettings(settings, updates),
            threads.executor(ThreadPool.Names.FORCE_MERGE));
    coldMerges = cold;
    looking =
        threads.scheduleWithFixedDelay(
            () -> cold.look(threads.relativeTimeInMillis()), LOOK_EVERY, ThreadPool.Names.GENERIC);
  }

  @Override
  public void stop() {
    Scheduler.Cancellable scheduled = looking;
    if (scheduled != null) {
      scheduled.cancel();
    }
  }

  @Nullable ColdMerges coldMerges() {
    return coldMerges;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("cold_merges", "shards", "Cold shards merged", count(c -> c.merged.sum())),
        Metric.counter(
            "cold_merged",
            "bytes",
            "Bytes of the cold shards before their merge",
            count(c -> c.mergedBytes.sum())),
        Metric.counter(
            "cold_postponed",
            "attempts",
            "Merges of cold shards that were not started because of the CPU or the disk",
            count(c -> c.postponed.sum())),
        Metric.counter(
            "cold_failed",
            "shards",
            "Merges of cold shards that failed",
            count(c -> c.failed.sum())));
  }

  private LongSupplier count(Function<ColdMerges, Long> value) {
    return () -> {
      ColdMerges cold = coldMerges;
      return cold == null ? 0 : value.apply(cold);
    };
  }
}
