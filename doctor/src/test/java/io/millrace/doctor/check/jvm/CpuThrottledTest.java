package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class CpuThrottledTest extends CheckTestCase {
  CpuThrottledTest() {
    super(new CpuThrottled());
  }

  @Test
  void firesAtATenth() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stat("os/cgroup/cpu/stat/number_of_elapsed_periods", 1_000)
            .stat("os/cgroup/cpu/stat/number_of_times_throttled", 300));
  }

  @Test
  void isWorthKnowingWhenItWasLongAgo() {
    fires(
        Severity.INFO,
        Sick.cluster()
            .stats("os/cgroup/cpu/stat/number_of_elapsed_periods", 1_000)
            .stats("os/cgroup/cpu/stat/number_of_times_throttled", 300));
  }
}
