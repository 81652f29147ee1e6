package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class SwapUsedTest extends CheckTestCase {
  SwapUsedTest() {
    super(new SwapUsed());
  }

  @Test
  void firesWhenItMayBeSwapped() {
    fires(Severity.WARN, Sick.cluster().stat("os/swap/total_in_bytes", 4L << 30));
  }

  @Test
  void isAnErrorWhenItIs() {
    fires(
        Severity.ERROR,
        Sick.cluster()
            .stat("os/swap/total_in_bytes", 4L << 30)
            .stat("os/swap/used_in_bytes", 1L << 30));
  }

  @Test
  void silentWhenLocked() {
    silent(Sick.cluster().stat("os/swap/total_in_bytes", 4L << 30).info("process/mlockall", true));
  }
}
