package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class YoungPausesLongTest extends CheckTestCase {
  YoungPausesLongTest() {
    super(new YoungPausesLong());
  }

  private static Sick paused(long count, long millis) {
    return Sick.cluster()
        .stats("jvm/gc/collectors/young/collection_count", count)
        .stats("jvm/gc/collectors/young/collection_time_in_millis", millis);
  }

  @Test
  void firesOnTheFieldReport() {
    fires(Severity.WARN, paused(1_000, 200_000));
  }

  @Test
  void isWorthKnowingInTheFirstMinutes() {
    fires(Severity.INFO, paused(20, 5_000).stats("jvm/uptime_in_millis", 300_000L));
  }

  @Test
  void silentForShortOnesForFewAndForZgc() {
    silent(paused(1_000, 199_000));
    silent(paused(9, 9_000));
    silent(paused(1_000, 900_000).info("jvm/gc_collectors", List.of("ZGC Cycles", "ZGC Pauses")));
  }
}
