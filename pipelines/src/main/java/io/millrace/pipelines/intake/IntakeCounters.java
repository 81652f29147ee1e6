package io.millrace.pipelines.intake;

import io.millrace.kernel.metric.Metric;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What came in by one way since the node started. */
public final class IntakeCounters {
  private final LongAdder requests = new LongAdder();
  private final LongAdder written = new LongAdder();
  private final LongAdder known = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder again = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** Counts a request. */
  public void add(IntakeOutcome outcome) {
    requests.increment();
    written.add(outcome.written());
    known.add(outcome.known());
    refused.add(outcome.refused());
    IntakeOutcome.Failure failure = outcome.failure();
    if (failure != null) {
      (failure.passing() ? again : failed).increment();
    }
  }

  /** The counts. */
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("requests", "requests", "Requests that came in", requests::sum),
        Metric.counter("records_written", "records", "Records written", written::sum),
        Metric.counter(
            "records_known",
            "records",
            "Records that came again and had been written before",
            known::sum),
        Metric.counter(
            "records_refused",
            "records",
            "Records that the index or a limit refused; their senders were told",
            refused::sum),
        Metric.counter(
            "requests_sent_back",
            "requests",
            "Requests answered with 429 or 503, to be sent again",
            again::sum),
        Metric.counter(
            "requests_failed", "requests", "Requests answered with another error", failed::sum));
  }
}
