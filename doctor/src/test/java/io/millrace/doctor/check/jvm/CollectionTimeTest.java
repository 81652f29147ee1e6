package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class CollectionTimeTest extends CheckTestCase {
  CollectionTimeTest() {
    super(new CollectionTime());
  }

  @Test
  void firesAtATenth() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stat("jvm/uptime_in_millis", 1_000_000L)
            .stat("jvm/gc/collectors/young/collection_time_in_millis", 150_000L));
  }

  @Test
  void isAnErrorAtAQuarter() {
    fires(
        Severity.ERROR,
        Sick.cluster()
            .stat("jvm/uptime_in_millis", 1_000_000L)
            .stat("jvm/gc/collectors/old/collection_time_in_millis", 300_000L));
  }

  @Test
  void isWorthKnowingInTheFirstMinutes() {
    fires(
        Severity.INFO,
        Sick.cluster()
            .stat("jvm/uptime_in_millis", 300_000L)
            .stat("jvm/gc/collectors/young/collection_time_in_millis", 150_000L));
  }
}
