package io.millrace.doctor.check.cluster;

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

/** Nodes whose clocks differ write wrong times and judge ages wrongly. */
public final class ClockSkew extends Rule {
  public ClockSkew() {
    super(
        new About(
            "clock-skew",
            Area.CLUSTER,
            "Clocks of the nodes differ",
            "timestamps of the nodes in one answer are 10 s or more from their median",
            "Rollover by age, policies and times that pipelines add are wrong, and TLS certificates may seem invalid.",
            "NTP practice: clocks of one cluster differ by milliseconds",
            "times in documents can be compared"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Long> times =
        snapshot.nodes().stream()
            .map(n -> n.stat("timestamp"))
            .filter(t -> t > 0)
            .sorted()
            .toList();
    long median = times.isEmpty() ? 0 : times.get(times.size() / 2);
    for (Node node : snapshot.nodes()) {
      long off = node.stat("timestamp") - median;
      if (times.size() >= 3 && node.stat("timestamp") > 0 && Math.abs(off) >= 10_000) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("timestamp"), Units.time(off) + " off")
            .weigh(30);
      }
    }
    return diagnosis.saying(
        "The clock of " + diagnosis.names() + " is wrong.",
        Fix.advice("Run chrony or systemd-timesyncd on every node."));
  }
}
