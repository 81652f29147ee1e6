package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class KafkaUnbatchedTest extends CheckTestCase {
  KafkaUnbatchedTest() {
    super(new KafkaUnbatched());
  }

  @Test
  void firesForDefaults() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .given(
                new Given(
                    List.of(),
                    null,
                    new KafkaFacts(Map.of("producer.properties", new Properties()), List.of()))));
  }
}
