package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LagElsewhereTest extends CheckTestCase {
  LagElsewhereTest() {
    super(new LagElsewhere());
  }

  private static Sick behind(long lag) {
    return Sick.cluster()
        .given(
            new Given(
                List.of(),
                null,
                new KafkaFacts(Map.of(), List.of(new KafkaFacts.Lag("oap", "spans", 0, lag)))));
  }

  @Test
  void firesForAnIdleCluster() {
    fires(Severity.WARN, behind(400_000_000));
  }

  @Test
  void silentWhenTheClusterIsBusyInAnyWay() {
    silent(behind(400_000_000).stat("os/cpu/percent", 95));
    silent(behind(400_000_000).stat("thread_pool/write/queue", 40));
    silent(behind(400_000_000).stat("thread_pool/write/rejected", 1));
    silent(behind(400_000_000).stat("indices/indexing/throttle_time_in_millis", 900));
    silent(behind(400_000_000).stat("fs/io_stats/total/io_time_in_millis", 99_000));
  }

  @Test
  void silentWithoutALag() {
    silent(behind(99_999));
  }
}
