package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class YoungCollectionsFrequentTest extends CheckTestCase {
  YoungCollectionsFrequentTest() {
    super(new YoungCollectionsFrequent());
  }

  @Test
  void firesOnTheFieldReport() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .cms()
            .stat("jvm/uptime_in_millis", 14 * 3_600_000L)
            .stat("jvm/gc/collectors/young/collection_count", 90_000)
            .stat("jvm/gc/collectors/young/collection_time_in_millis", 1_467_995L));
  }

  @Test
  void silentInTheFirstMinute() {
    silent(Sick.cluster().cms().stat("jvm/uptime_in_millis", 30_000L));
  }

  @Test
  void isWorthKnowingInTheFirstMinutes() {
    fires(
        Severity.INFO,
        Sick.cluster()
            .cms()
            .stat("jvm/uptime_in_millis", 300_000L)
            .stat("jvm/gc/collectors/young/collection_count", 900)
            .stat("jvm/gc/collectors/young/collection_time_in_millis", 45_000L));
  }
}
