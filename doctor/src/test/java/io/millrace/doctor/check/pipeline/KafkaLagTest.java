package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaLagTest extends CheckTestCase {
  KafkaLagTest() {
    super(new KafkaLag());
  }

  @Test
  void firesForALag() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .given(
                new Given(
                    List.of(),
                    null,
                    new KafkaFacts(Map.of(), List.of(new KafkaFacts.Lag("g", "t", 0, 500_000L))))));
  }
}
