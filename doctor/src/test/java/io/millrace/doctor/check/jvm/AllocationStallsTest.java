package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllocationStallsTest extends CheckTestCase {
  AllocationStallsTest() {
    super(new AllocationStalls());
  }

  @Test
  void firesOnAStall() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stat(
                "jvm/gc/collectors/ZGC AllocationStallCount",
                Map.of("collection_count", 4, "collection_time_in_millis", 900)));
  }

  @Test
  void silentAtZero() {
    silent(
        Sick.cluster()
            .stat(
                "jvm/gc/collectors/ZGC AllocationStallCount",
                Map.of("collection_count", 0, "collection_time_in_millis", 0)));
  }
}
