package io.millrace.write.fastengine;

import io.millrace.kernel.metric.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the fast path counts on this node. */
final class FastEngineCounters {
  private final LongAdder documents = new LongAdder();
  private final LongAdder plans = new LongAdder();
  private final LongAdder declinedPlans = new LongAdder();
  private final LongAdder[] fallbacks =
      Arrays.stream(Fallback.values()).map(reason -> new LongAdder()).toArray(LongAdder[]::new);

  void document() {
    documents.increment();
  }

  void fallback(Fallback reason) {
    fallbacks[reason.ordinal()].increment();
  }

  void plan(DocumentPlan plan) {
    (plan.root() == null ? declinedPlans : plans).increment();
  }

  long documents() {
    return documents.sum();
  }

  long fallbacks() {
    return Arrays.stream(fallbacks).mapToLong(LongAdder::sum).sum();
  }

  long fallbacks(Fallback reason) {
    return fallbacks[reason.ordinal()].sum();
  }

  List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "documents",
            "documents",
            "Documents that the fast path turned into Lucene documents",
            documents::sum),
        new Metric(
            "fallbacks",
            Metric.Kind.COUNTER,
            "documents",
            "Documents that stock's parser took, by reason",
            Metric.Merge.SUM,
            () ->
                Arrays.stream(Fallback.values())
                    .map(reason ->
                        new Metric.Sample(Map.of("reason", reason.label()), fallbacks(reason)))
                    .toList()),
        Metric.counter(
            "plans", "plans", "Mapping versions that were compiled for a shard", plans::sum),
        Metric.counter(
            "declined_plans",
            "plans",
            "Mapping versions of a shard that the fast path does not cover at all",
            declinedPlans::sum));
  }
}
