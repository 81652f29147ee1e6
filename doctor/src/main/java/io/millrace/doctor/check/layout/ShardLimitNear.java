package io.millrace.doctor.check.layout;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Map;
import java.util.Optional;

/** At the limit no index can be created: at midnight logs stop. */
public final class ShardLimitNear extends Rule {
  public ShardLimitNear() {
    super(
        new About(
            "shard-limit",
            Area.LAYOUT,
            "The limit of shards is near",
            "open shards are 85 % of cluster.max_shards_per_node (1,000 unless set) times the data nodes, or more (error: 97 %)",
            "At the limit the cluster refuses new indices: with daily names, logs of the next day are refused at midnight.",
            "OpenSearch ShardLimitValidator; cluster.max_shards_per_node",
            "tomorrow's indices can be created"),
        Probe.SHARDS,
        Probe.CLUSTER_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    String set = snapshot.clusterSetting("cluster.max_shards_per_node");
    long perNode = set != null && set.matches("\\d{1,9}") ? Long.parseLong(set) : 1_000;
    long most = perNode * snapshot.dataNodes().size();
    long shards = snapshot.shards().size();
    if (most > 0 && shards >= most * 0.85) {
      diagnosis
          .found(shards >= most * 0.97 ? Severity.ERROR : Severity.WARN, "cluster")
          .seen(Shard.SHOWN + ": rows", Units.number(shards) + " of " + Units.number(most))
          .weigh(70);
    }
    return diagnosis.saying(
        "The cluster is near its limit of shards.",
        SettingsChange.cluster(
                snapshot, Map.of("cluster.max_shards_per_node", String.valueOf(perNode + 200)))
            .and(
                "This gives a few days only. Delete old indices and give new ones fewer primaries."));
  }
}
