package io.millrace.doctor.report;

import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;

/** What every report says of the cluster in its first line. */
final class Headline {
  private Headline() {}

  static String of(Examination examination) {
    Snapshot snapshot = examination.snapshot();
    String name = snapshot.get(Probe.ROOT).path("cluster_name").asText("");
    return snapshot.product()
        + (name.isEmpty() ? "" : ", cluster " + name)
        + ", "
        + Units.counted(snapshot.nodes().size(), "node", "nodes")
        + ", "
        + Units.counted(snapshot.indices().size(), "open index", "open indices")
        + ", "
        + Units.counted(snapshot.shards().size(), "shard", "shards")
        + "; rates over "
        + Units.time(snapshot.windowMillis());
  }

  /** What was looked at; the whole report of a healthy cluster. */
  static String looked(Examination examination) {
    return examination.looked()
        + " checks looked at settings and figures of nodes, indices, shards, mappings, templates, disks, tasks and"
        + " versions: "
        + examination.counts()
        + ".";
  }
}
