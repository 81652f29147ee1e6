package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Single messages keep the broker's disks busy, and the consumer falls behind what is written. */
public final class KafkaUnbatched extends Rule {
  public KafkaUnbatched() {
    super(
        new About(
            "kafka-unbatched",
            Area.PIPELINE,
            "Kafka clients send or fetch in tiny pieces",
            "a producer has linger.ms below 100 or batch.size below 131,072; a consumer has max.poll.records below 1,000 or fetch.min.bytes below 1,024",
            "Each message becomes a request and a small write on the broker. Its disks are busy at a fraction of their rate, and consumers read slower the more is written.",
            "Kafka documentation, Producer configs; a field report: linger.ms 1000 and batch.size 512 KB ended hours of lag, larger fetches alone made it worse",
            "the same messages in a hundredth of the requests"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    KafkaFacts kafka = snapshot.given().kafka();
    if (kafka != null) {
      kafka
          .clients()
          .forEach((file, properties) -> {
            boolean consumer =
                properties.containsKey("group.id")
                    || properties.stringPropertyNames().stream()
                        .anyMatch(k -> k.startsWith("fetch.") || k.startsWith("max.poll"));
            if (consumer) {
              below(diagnosis, file, properties, "max.poll.records", 500, 1_000);
              below(diagnosis, file, properties, "fetch.min.bytes", 1, 1_024);
            } else {
              below(diagnosis, file, properties, "linger.ms", 0, 100);
              below(diagnosis, file, properties, "batch.size", 16_384, 131_072);
            }
          });
    }
    return diagnosis.saying(
        diagnosis.names() + " makes Kafka work in tiny pieces.",
        Fix.config(
                "producer.properties",
                List.of(),
                List.of("linger.ms=1000", "batch.size=524288", "compression.type=zstd"))
            .and(
                "Change producers first; consumers then: max.poll.records=5000, fetch.min.bytes=65536."));
  }

  private static void below(
      Diagnosis diagnosis,
      String file,
      Properties properties,
      String key,
      long standard,
      long least) {
    String text = properties.getProperty(key, String.valueOf(standard)).strip();
    if (text.matches("\\d{1,15}") && Long.parseLong(text) < least) {
      diagnosis
          .found(Severity.WARN, file)
          .seen(file + ": " + key, text + (properties.containsKey(key) ? "" : " (default)"))
          .weigh(50);
    }
  }
}
