package io.millrace.search.blocksampler;

import io.millrace.search.blocksampler.InternalInterval.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.InternalMultiBucketAggregation;
import org.opensearch.search.aggregations.bucket.InternalSingleBucketAggregation;
import org.opensearch.search.aggregations.bucket.histogram.HistogramFactory;
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
  /**
   * A value in each group, and what stands below it: the aggregations of a bucket by their names,
   * the buckets of an aggregation by their keys, its values by theirs.
   */
  private static final class Cell {
    final double[] values = new double[Sampling.GROUPS];
    final boolean[] known = new boolean[Sampling.GROUPS];
    private final Map<Object, Cell> below = new HashMap<>();

    /** A list of terms that a group cut: a term that is missing there may have been found. */
    private boolean cut;

    void put(int group, double value) {
      values[group] = value;
      known[group] = true;
    }

    Cell make(Object key) {
      return below.computeIfAbsent(key, none -> new Cell());
    }

    Cell at(Object key) {
      return below.getOrDefault(key, NOTHING);
    }
  }

  /** What no group has. */
  private static final Cell NOTHING = new Cell();

  private final Sampling sampling;
  private final Cell root = new Cell();

  /** Student's t by degrees of freedom. */
  private final Map<Integer, Double> quantiles = new HashMap<>();

  private Estimates(Sampling sampling) {
    this.sampling = sampling;
  }

  static Estimates of(List<SampleGroup> groups, Sampling sampling) {
    Estimates estimates = new Estimates(sampling);
    for (int group = 0; group < groups.size(); group++) {
      estimates.root.put(group, groups.get(group).docCount());
      read(estimates.root, groups.get(group).aggregations(), group);
    }
    return estimates;
  }

  private static void read(Cell above, InternalAggregations aggregations, int group) {
    for (Aggregation each : aggregations) {
      Cell cell = above.make(each.getName());
      if (each instanceof InternalMultiBucketAggregation<?, ?> buckets) {
        Keys keys = new Keys(each);
        for (var bucket : buckets.getBuckets()) {
          Cell inside = cell.make(keys.next(bucket));
          inside.put(group, bucket.getDocCount());
          read(inside, (InternalAggregations) bucket.getAggregations(), group);
        }
        cell.cut |= each instanceof InternalTerms<?, ?> terms && terms.getSumOfOtherDocCounts() > 0;
      } else if (each instanceof InternalSingleBucketAggregation bucket) {
        cell.put(group, bucket.getDocCount());
        read(cell, bucket.getAggregations(), group);
      } else {
        for (Map.Entry<String, Double> value : values(each).entrySet()) {
          cell.make(value.getKey()).put(group, value.getValue());
        }
      }
    }
  }

  /** Keys of buckets, also of those whose keys are alike. */
  private static final class Keys {
    /** A bucket with the key of one before it. */
    private record Again(Object key, int times) {}

    private final @Nullable HistogramFactory histogram;
    private final Map<Object, Integer> seen = new HashMap<>();

    Keys(Aggregation buckets) {
      // dates as numbers: made into text they cost more than everything else here
      histogram = buckets instanceof HistogramFactory dates ? dates : null;
    }

    Object next(InternalMultiBucketAggregation.InternalBucket bucket) {
      Object key = histogram == null ? String.valueOf(bucket.getKey()) : histogram.getKey(bucket);
      int times = seen.merge(key, 1, Integer::sum);
      return times == 1 ? key : new Again(key, times);
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
    return beside(root, false, reduced, docCount);
  }

  private InternalAggregations beside(
      Cell cell, boolean mayBeCut, InternalAggregations aggregations, long docCount) {
    List<InternalAggregation> all = new ArrayList<>();
    Bounds count = sum(cell, docCount, mayBeCut, true);
    if (count != null) {
      all.add(new InternalInterval("doc_count" + InternalInterval.SUFFIX, Map.of("", count)));
    }
    for (Aggregation each : aggregations) {
      Cell below = cell.at(each.getName());
      all.add(inside(below, mayBeCut, (InternalAggregation) each));
      Map<String, Bounds> bounds = new HashMap<>();
      for (Map.Entry<String, Double> value : values(each).entrySet()) {
        Cell known = below.at(value.getKey());
        Bounds found =
            each instanceof InternalSum || each instanceof InternalValueCount
                ? sum(known, value.getValue(), mayBeCut, each instanceof InternalValueCount)
                : mean(known, value.getValue());
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

  private InternalAggregation inside(Cell cell, boolean mayBeCut, InternalAggregation aggregation) {
    if (aggregation instanceof InternalSingleBucketAggregation bucket) {
      return bucket.create(beside(cell, mayBeCut, bucket.getAggregations(), bucket.getDocCount()));
    }
    return aggregation instanceof InternalMultiBucketAggregation<?, ?> buckets
        ? buckets(cell, mayBeCut || cell.cut, buckets)
        : aggregation;
  }

  private <
          A extends InternalMultiBucketAggregation<A, B>,
          B extends InternalMultiBucketAggregation.InternalBucket>
      InternalAggregation buckets(
          Cell cell, boolean mayBeCut, InternalMultiBucketAggregation<A, B> aggregation) {
    Keys keys = new Keys(aggregation);
    List<B> buckets = new ArrayList<>();
    for (B bucket : aggregation.getBuckets()) {
      InternalAggregations below = (InternalAggregations) bucket.getAggregations();
      Cell inside = cell.at(keys.next(bucket));
      buckets.add(
          aggregation.createBucket(beside(inside, mayBeCut, below, bucket.getDocCount()), bucket));
    }
    return aggregation.create(buckets);
  }

  /**
   * A number that grows with the sample: each group has a share of it.
   *
   * @param whole of documents or values, of which there are at least those that were seen
   */
  private @Nullable Bounds sum(Cell cell, double estimate, boolean mayBeCut, boolean whole) {
    if (cell == NOTHING) {
      return null;
    }
    double sum = 0;
    for (int group = 0; group < Sampling.GROUPS; group++) {
      if (!cell.known[group] && mayBeCut) {
        return null;
      }
      sum += cell.values[group];
    }
    if (whole && sum == 0) {
      return null; // nothing was found, which says little of how much there is
    }
    double mean = sum / Sampling.GROUPS;
    double squares = 0;
    for (double value : cell.values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation =
        sampling.every() * Math.sqrt(Sampling.GROUPS * squares / (Sampling.GROUPS - 1) * open());
    double half = quantile(Sampling.GROUPS - 1) * deviation;
    if (!whole) {
      return bounds(estimate - half, estimate + half);
    }
    double seen = estimate - (sampling.every() - 1) * sum;
    return bounds(Math.floor(Math.max(seen, estimate - half)), Math.ceil(estimate + half));
  }

  /** A number that each group estimates as a whole. */
  private @Nullable Bounds mean(Cell cell, double estimate) {
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
    double half = quantile(known - 1) * deviation;
    return bounds(estimate - half, estimate + half);
  }

  private double quantile(int degrees) {
    return quantiles.computeIfAbsent(degrees, of -> StudentT.quantile(sampling.confidence(), of));
  }

  /** The share of the documents that the sample does not know. */
  private double open() {
    return 1 - 1.0 / sampling.every();
  }

  private static @Nullable Bounds bounds(double lower, double upper) {
    return Double.isFinite(lower) && Double.isFinite(upper) ? new Bounds(lower, upper) : null;
  }
}
