package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/**
 * How far estimates of {@code block_sampler} are from the exact aggregations beside which they
 * stand: relative errors, of counts of buckets and of metrics, and how many true values lie in
 * their intervals.
 */
final class SampleErrors {
  private double countErrors;
  private int counts;
  private double metricErrors;
  private int metrics;
  private int intervals;
  private int held;

  /**
   * @param exact the answer of the search without a sampler
   * @param sample the sampler's object in the other answer
   */
  void add(JsonNode exact, JsonNode sample) {
    compare(exact.path("aggregations"), sample);
  }

  private void compare(JsonNode exact, JsonNode sample) {
    for (Iterator<Map.Entry<String, JsonNode>> it = exact.fields(); it.hasNext(); ) {
      Map.Entry<String, JsonNode> one = it.next();
      JsonNode truth = one.getValue();
      JsonNode estimate = sample.path(one.getKey());
      if (truth.path("value").isNumber()) {
        metricErrors += error(truth.path("value"), estimate.path("value"));
        metrics++;
        hold(truth.path("value"), sample.path(one.getKey() + "_interval"));
      }
      for (JsonNode bucket : truth.path("buckets")) {
        compareBucket(bucket, bucketOf(estimate, bucket.path("key")));
      }
    }
  }

  private void compareBucket(JsonNode exact, JsonNode sample) {
    countErrors += error(exact.path("doc_count"), sample.path("doc_count"));
    counts++;
    hold(exact.path("doc_count"), sample.path("doc_count_interval"));
    compare(exact, sample);
  }

  private void hold(JsonNode truth, JsonNode interval) {
    if (interval.isObject()) {
      intervals++;
      if (truth.asDouble() >= interval.path("lower").asDouble()
          && truth.asDouble() <= interval.path("upper").asDouble()) {
        held++;
      }
    }
  }

  private static JsonNode bucketOf(JsonNode aggregation, JsonNode key) {
    for (JsonNode bucket : aggregation.path("buckets")) {
      if (bucket.path("key").equals(key)) {
        return bucket;
      }
    }
    return aggregation.path("no such bucket");
  }

  /** 1, which is all of it, where the estimate has no such value. */
  private static double error(JsonNode truth, JsonNode estimate) {
    double exact = truth.asDouble();
    return Math.abs(estimate.asDouble() - exact) / Math.max(Math.abs(exact), 1e-9);
  }

  /** Empty if nothing was compared. */
  @Override
  public String toString() {
    return counts + metrics == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; mean error of counts %.2f %%, of metrics %.2f %%; %d of %d intervals hold",
            100 * countErrors / Math.max(counts, 1),
            100 * metricErrors / Math.max(metrics, 1),
            held,
            intervals);
  }
}
