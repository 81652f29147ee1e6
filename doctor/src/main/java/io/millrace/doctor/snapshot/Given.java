package io.millrace.doctor.snapshot;

import io.millrace.doctor.gc.GcSummary;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.logfile.LogScan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user gives beside the cluster: GC logs, logs of nodes, and what is known of Kafka.
 *
 * @param gcLogs one summary per file
 * @param logs counts over all files; null when none was given
 * @param kafka null when nothing was given
 */
public record Given(List<GcSummary> gcLogs, @Nullable LogScan logs, @Nullable KafkaFacts kafka) {
  /** Nothing but the cluster. */
  public static final Given NOTHING = new Given(List.of(), null, null);

  public Given {
    gcLogs = List.copyOf(gcLogs);
  }

  /** The same figures without names of files, groups and topics, and without lines of logs. */
  Given anonymised() {
    List<GcSummary> hidden = new ArrayList<>();
    gcLogs.forEach(log -> hidden.add(log.named("gc-log-" + (hidden.size() + 1))));
    return new Given(
        hidden,
        logs == null ? null : logs.withoutSamples(),
        kafka == null ? null : kafka.anonymised());
  }
}
