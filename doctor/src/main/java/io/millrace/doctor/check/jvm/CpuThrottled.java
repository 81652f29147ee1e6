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
import java.util.Optional;

/** A container's limit stops all threads of a node for parts of each tenth of a second. */
public final class CpuThrottled extends Rule {
  /** Periods of 100 ms in which the window tells enough; fewer say little. */
  private static final int ENOUGH = 30;

  public CpuThrottled() {
    super(
        new About(
            "cpu-throttled",
            Area.JVM,
            "A container's CPU limit stops the node",
            "in the window, 10 % or more of the scheduler's periods were throttled (info: only since the container's start, which may be long ago)",
            "When the quota of a period is used up every thread waits for the next one, also collections and the"
                + " cluster's heartbeat. The processor looks idle meanwhile.",
            "Linux kernel documentation, CFS bandwidth control: nr_periods, nr_throttled",
            "latencies without steps of 100 ms"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      String path = "os.cgroup.cpu.stat.";
      long periods = node.grew(path + "number_of_elapsed_periods");
      long throttled = node.grew(path + "number_of_times_throttled");
      boolean now = periods >= ENOUGH;
      if (!now) {
        periods = node.stat(path + "number_of_elapsed_periods");
        throttled = node.stat(path + "number_of_times_throttled");
      }
      if (periods >= (now ? ENOUGH : 100) && throttled > periods / 10) {
        diagnosis
            .found(now ? Severity.WARN : Severity.INFO, node.name())
            .seen(
                node.statPath(path + "number_of_times_throttled"),
                throttled + " of " + periods + " periods")
            .weigh(100.0 * throttled / periods);
      }
    }
    return diagnosis.saying(
        "The CPU limit of its container stops " + diagnosis.names() + ".",
        Fix.advice(
            "Raise or remove the CPU limit of the container and keep the request, or set node.processors to the limit so that the node starts fewer threads."));
  }
}
