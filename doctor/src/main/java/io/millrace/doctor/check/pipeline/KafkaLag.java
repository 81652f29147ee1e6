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
import io.millrace.doctor.unit.Units;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the consumer has not read yet nobody can search. */
public final class KafkaLag extends Rule {
  public KafkaLag() {
    super(
        new About(
            "kafka-lag",
            Area.PIPELINE,
            "A consumer group is behind",
            "a group is 100,000 records behind or more (error: 100 million); most of it in a few partitions means skewed keys or cold reads",
            "Logs are searchable as late as the group is behind. A group that is far behind reads from disk instead of memory, which makes it slower still.",
            "Kafka documentation, Monitoring consumer lag; a field report: 400 million records behind after each evening",
            "logs are searchable within seconds"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    KafkaFacts kafka = snapshot.given().kafka();
    Map<String, Long> groups = new TreeMap<>();
    Map<String, Long> largest = new TreeMap<>();
    if (kafka != null) {
      kafka
          .lags()
          .forEach(lag -> {
            groups.merge(lag.group() + "/" + lag.topic(), lag.lag(), Long::sum);
            largest.merge(lag.group() + "/" + lag.topic(), lag.lag(), Math::max);
          });
    }
    groups.forEach((group, lag) -> {
      if (lag >= 100_000) {
        long most = largest.getOrDefault(group, 0L);
        diagnosis
            .found(lag >= 100_000_000L ? Severity.ERROR : Severity.WARN, group)
            .seen(
                "LAG of " + group,
                Units.number(lag)
                    + ", "
                    + Units.percent((double) most / lag)
                    + " of it in one partition")
            .weigh(65);
      }
    });
    return diagnosis.saying(
        diagnosis.names() + " is behind.",
        Fix.advice(
            "See whether the cluster refuses or delays writes (write-rejections, refresh-interval), then whether clients are batched (kafka-unbatched); then more partitions and consumers."));
  }
}
