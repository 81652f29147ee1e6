package io.millrace.search.blocksampler;

import io.millrace.search.blocksampler.InternalInterval.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.InternalMultiBucketAggregation;
import org.opensearch.search.aggregations.bucket.InternalSingleBucketAggregation;
import org.opensearch.search.aggregations.bucket.terms.InternalTerms;
import org.opensearch.search.aggregations.metrics.InternalNumericMetricsAggregation;
import org.opensearch.search.aggregations.metrics.InternalSum;
import org.opensearch.search.aggregations.metrics.InternalValueCount;
import org.opensearch.search.aggregations.metrics.Percentile;
import org.opensearch.search.aggregations.metrics.PercentileRanks;
import org.opensearch.search.aggregations.metrics.Percentiles;

/**
 * How far the groups of a sample differ in each value, and the interval that follows from it: the
 * method of random groups (K. Wolter, "Introduction to Variance Estimation", chapter 2) with
 * Student's t. Groups that hold systematically spread blocks differ rather more than the sample
 * does, so the intervals are rather too wide than too narrow.
 */
final class Estimates {
  /** A value in each group: NaN where the group has none. */
  private static final class Cell {
    final double[] values = new double[Sampling.GROUPS];
    final boolean[] known = new boolean[Sampling.GROUPS];
  }

  private final Sampling sampling;
  private final Map<String, Cell> cells = new HashMap<>();

  /** Lists of terms that a group cut: a term that is missing there may have been found. */
  private final Set<String> cut = new HashSet<>();

  private Estimates(Sampling sampling) {
    this.sampling = sampling;
  }

  static Estimates of(List<SampleGroup> groups, Sampling sampling) {
    Estimates estimates = new Estimates(sampling);
    for (int group = 0; group < groups.size(); group++) {
      estimates.put("", group, groups.get(group).docCount());
      estimates.read("", groups.get(group).aggregations(), group);
    }
    return estimates;
  }

  private void put(String path, int group, double value) {
    Cell cell = cells.computeIfAbsent(path, none -> new Cell());
    cell.values[group] = value;
    cell.known[group] = true;
  }

  private void read(String above, InternalAggregations aggregations, int group) {
    for (Aggregation each : aggregations) {
      String path = above + '\u0001' + each.getName();
      if (each instanceof InternalMultiBucketAggregation<?, ?> buckets) {
        Keys keys = new Keys(path);
        for (var bucket : buckets.getBuckets()) {
          String key = keys.next(bucket.getKeyAsString());
          put(key, group, bucket.getDocCount());
          read(key, (InternalAggregations) bucket.getAggregations(), group);
        }
        if (each instanceof InternalTerms<?, ?> terms && terms.getSumOfOtherDocCounts() > 0) {
          cut.add(path);
        }
      } else if (each instanceof InternalSingleBucketAggregation bucket) {
        put(path, group, bucket.getDocCount());
        read(path, bucket.getAggregations(), group);
      } else {
        Map<String, Double> values = values(each);
        for (Map.Entry<String, Double> value : values.entrySet()) {
          put(path + '\u0003' + value.getKey(), group, value.getValue());
        }
      }
    }
  }

  /** Paths of buckets, also of those whose keys are written alike. */
  private static final class Keys {
    private final String path;
    private final Map<String, Integer> seen = new HashMap<>();

    Keys(String path) {
      this.path = path;
    }

    String next(@Nullable String key) {
      String known = String.valueOf(key);
      int count = seen.merge(known, 1, Integer::sum);
      return path + '\u0002' + count + '\u0002' + known;
    }
  }

  private static Map<String, Double> values(Aggregation metric) {
    Map<String, Double> values = new HashMap<>();
    if (metric instanceof InternalNumericMetricsAggregation.SingleValue single) {
      values.put(InternalInterval.ONLY, single.value());
    } else if (metric instanceof Percentiles percentiles) {
      for (Percentile each : percentiles) {
        values.put(String.valueOf(each.getPercent()), each.getValue());
      }
    } else if (metric instanceof PercentileRanks ranks) {
      for (Percentile each : ranks) {
        values.put(String.valueOf(each.getValue()), each.getPercent());
      }
    }
    return values;
  }

  /** The aggregations with an interval beside each value that was sampled. */
  InternalAggregations beside(InternalAggregations reduced, long docCount) {
    return beside("", false, reduced, docCount);
  }

  private InternalAggregations beside(
      String path, boolean mayBeCut, InternalAggregations aggregations, long docCount) {
    List<InternalAggregation> all = new ArrayList<>();
    Bounds count = sum(path, docCount, mayBeCut, true);
    if (count != null) {
      all.add(new InternalInterval("doc_count" + InternalInterval.SUFFIX, Map.of("", count)));
    }
    for (Aggregation each : aggregations) {
      String below = path + '\u0001' + each.getName();
      all.add(inside(below, mayBeCut, (InternalAggregation) each));
      Map<String, Bounds> bounds = new HashMap<>();
      for (Map.Entry<String, Double> value : values(each).entrySet()) {
        String key = below + '\u0003' + value.getKey();
        Bounds found =
            each instanceof InternalSum || each instanceof InternalValueCount
                ? sum(key, value.getValue(), mayBeCut, each instanceof InternalValueCount)
                : mean(key, value.getValue());
        if (found != null) {
          bounds.put(value.getKey(), found);
        }
      }
      if (!bounds.isEmpty()) {
        all.add(new InternalInterval(each.getName() + InternalInterval.SUFFIX, bounds));
      }
    }
    return InternalAggregations.from(all);
  }

  private InternalAggregation inside(
      String path, boolean mayBeCut, InternalAggregation aggregation) {
    if (aggregation instanceof InternalSingleBucketAggregation bucket) {
      return bucket.create(beside(path, mayBeCut, bucket.getAggregations(), bucket.getDocCount()));
    }
    return aggregation instanceof InternalMultiBucketAggregation<?, ?> buckets
        ? buckets(path, mayBeCut || cut.contains(path), buckets)
        : aggregation;
  }

  private <
          A extends InternalMultiBucketAggregation<A, B>,
          B extends InternalMultiBucketAggregation.InternalBucket>
      InternalAggregation buckets(
          String path, boolean mayBeCut, InternalMultiBucketAggregation<A, B> aggregation) {
    Keys keys = new Keys(path);
    List<B> buckets = new ArrayList<>();
    for (B bucket : aggregation.getBuckets()) {
      InternalAggregations below = (InternalAggregations) bucket.getAggregations();
      String key = keys.next(bucket.getKeyAsString());
      buckets.add(
          aggregation.createBucket(beside(key, mayBeCut, below, bucket.getDocCount()), bucket));
    }
    return aggregation.create(buckets);
  }

  /**
   * A number that grows with the sample: each group has a share of it.
   *
   * @param whole of documents or values, of which there are at least those that were seen
   */
  private @Nullable Bounds sum(String path, double estimate, boolean mayBeCut, boolean whole) {
    Cell cell = cells.get(path);
    if (cell == null) {
      return null;
    }
    double sum = 0;
    for (int group = 0; group < Sampling.GROUPS; group++) {
      if (!cell.known[group] && mayBeCut) {
        return null;
      }
      sum += cell.values[group];
    }
    double mean = sum / Sampling.GROUPS;
    double squares = 0;
    for (double value : cell.values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation =
        sampling.every() * Math.sqrt(Sampling.GROUPS * squares / (Sampling.GROUPS - 1) * open());
    double half = StudentT.quantile(sampling.confidence(), Sampling.GROUPS - 1) * deviation;
    if (!whole) {
      return bounds(estimate - half, estimate + half);
    }
    double seen = estimate - (sampling.every() - 1) * sum;
    return bounds(Math.floor(Math.max(seen, estimate - half)), Math.ceil(estimate + half));
  }

  /** A number that each group estimates as a whole. */
  private @Nullable Bounds mean(String path, double estimate) {
    Cell cell = cells.get(path);
    if (cell == null) {
      return null;
    }
    int known = 0;
    double sum = 0;
    for (int group = 0; group < Sampling.GROUPS; group++) {
      if (cell.known[group] && Double.isFinite(cell.values[group])) {
        known++;
        sum += cell.values[group];
      }
    }
    if (known < 3) {
      return null;
    }
    double squares = 0;
    for (int group = 0; group < Sampling.GROUPS; group++) {
      if (cell.known[group] && Double.isFinite(cell.values[group])) {
        double off = cell.values[group] - sum / known;
        squares += off * off;
      }
    }
    double deviation = Math.sqrt(squares / (known - 1) / known * open());
    double half = StudentT.quantile(sampling.confidence(), known - 1) * deviation;
    return bounds(estimate - half, estimate + half);
  }

  /** The share of the documents that the sample does not know. */
  private double open() {
    return 1 - 1.0 / sampling.every();
  }

  private static @Nullable Bounds bounds(double lower, double upper) {
    return Double.isFinite(lower) && Double.isFinite(upper) ? new Bounds(lower, upper) : null;
  }
}
