package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class GenerationThresholdTest extends CheckTestCase {
  GenerationThresholdTest() {
    super(new GenerationThreshold());
  }

  @Test
  void firesWhenNotBelow() {
    fires(Severity.WARN, Sick.cluster().logs("index.translog.generation_threshold_size", "1gb"));
  }

  @Test
  void silentWhenBelow() {
    silent(
        Sick.cluster()
            .logs("index.translog.generation_threshold_size", "256mb")
            .logs("index.translog.flush_threshold_size", "1gb"));
  }
}
