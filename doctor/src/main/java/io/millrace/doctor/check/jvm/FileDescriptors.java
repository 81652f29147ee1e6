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

/** Each segment is a handful of open files; a node that runs out of them loses shards. */
public final class FileDescriptors extends Rule {

  public FileDescriptors() {
    super(
        new About(
            "file-descriptors",
            Area.JVM,
            "Few file descriptors",
            "max_file_descriptors is below 65,535, or 80 % of them are open (error)",
            "A node that cannot open a file fails the shard that it belongs to, and refuses connections.",
            "OpenSearch BootstrapChecks: max file descriptors 65535",
            "shards and connections are limited by memory instead"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long most = node.stat("process.max_file_descriptors");
      long open = node.stat("process.open_file_descriptors");
      if (most > 0 && (most < 65_535 || open > most * 0.8)) {
        diagnosis
            .found(open > most * 0.8 ? Severity.ERROR : Severity.WARN, node.name())
            .seen(node.statPath("process.max_file_descriptors"), Units.number(most))
            .seen(node.statPath("process.open_file_descriptors"), Units.number(open))
            .weigh(open > most * 0.8 ? 90 : 20);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " may run out of file descriptors.",
        Fix.advice(
            "LimitNOFILE=65535 (or more) in the service's unit, then restart the nodes one after the other. Fewer shards need fewer files."));
  }
}
