package io.millrace.doctor.check.disk;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class DiskWatermarkTest extends CheckTestCase {
  DiskWatermarkTest() {
    super(new DiskWatermark());
  }

  @Test
  void firesAtTheLowMark() {
    fires(Severity.WARN, Sick.cluster().stat("fs/total/available_in_bytes", 130L << 30));
  }

  @Test
  void isAnErrorAtTheHighMark() {
    fires(Severity.ERROR, Sick.cluster().stat("fs/total/available_in_bytes", 50L << 30));
  }

  @Test
  void obeysMarksInBytes() {
    silent(
        Sick.cluster()
            .stat("fs/total/available_in_bytes", 50L << 30)
            .clusterSetting("cluster.routing.allocation.disk.watermark.low", "10gb"));
  }
}
