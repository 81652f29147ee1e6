package io.millrace.guard.breaker;

import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.time.DateFormatter;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregations;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.bucket.SingleBucketAggregation;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramInterval;
import org.opensearch.search.aggregations.bucket.histogram.HistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.HistogramFactory;
import org.opensearch.search.aggregations.bucket.histogram.LongBounds;

/**
 * How many buckets the final reduce of one search will make where no document is.
 *
 * <p>No shard sends them, and {@code search.max_buckets} is asked when all of them are there
 * (InternalDateHistogram#reduce at 3.8.0): 1 ms over a day and a half makes 130 million. So they
 * are predicted from the shards' answers: from the lowest key to the highest, in steps of what the
 * answer itself says the next key is.
 */
final class GapBuckets {
  /** A bucket and its slot in the list, bytes; all of them share their empty aggregations. */
  static final long BYTES = 56;

  /** Months and daylight saving make steps uneven; nothing is refused that stock would answer. */
  private static final double UNEVEN = 1.2;

  private static final String DATES = "strict_date_optional_time||epoch_millis";

  /**
   * Extended bounds of a histogram that fills its gaps; not a number where there is none.
   *
   * @param step from one key to the next, about; without end where an answer has to say it
   */
  private record Bounds(double lowest, double highest, double step) {}

  /** The keys that the answers so far have in one place of the tree. */
  private static final class Range {
    private double lowest = Double.POSITIVE_INFINITY;
    private double highest = Double.NEGATIVE_INFINITY;
    private double step = Double.POSITIVE_INFINITY;

    private void add(double key) {
      if (!Double.isNaN(key)) {
        lowest = Math.min(lowest, key);
        highest = Math.max(highest, key);
      }
    }

    /** A step of nothing never arrives: stock would add buckets without end. */
    private double buckets() {
      if (highest < lowest) {
        return 0;
      }
      return 1 + (highest == lowest ? 0 : (highest - lowest) / Math.max(0, step));
    }
  }

  private final Map<String, Bounds> filling;

  /** Paths of all that stands above a histogram that fills its gaps. */
  private final Set<String> above = new HashSet<>();

  private final Map<String, Range> ranges = new HashMap<>();
  private double total;

  /** Buckets that no answer of a shard can avoid. */
  private double certain;

  private GapBuckets(Map<String, Bounds> filling) {
    this.filling = filling;
    for (String path : filling.keySet()) {
      for (int end = path.lastIndexOf('>'); end > 0; end = path.lastIndexOf('>', end - 1)) {
        above.add(path.substring(0, end));
      }
    }
  }

  /** {@code null} for a request whose reduce makes no buckets of its own. */
  static @Nullable GapBuckets of(Collection<AggregationBuilder> aggregations) {
    Map<String, Bounds> filling = new HashMap<>();
    find(aggregations, "", filling);
    if (filling.isEmpty()) {
      return null;
    }
    GapBuckets gaps = new GapBuckets(filling);
    for (AggregationBuilder aggregation : aggregations) {
      Bounds bounds = filling.get(">" + aggregation.getName());
      if (bounds != null && bounds.highest > bounds.lowest) {
        gaps.certain += (bounds.highest - bounds.lowest) / step(aggregation);
      }
    }
    return gaps;
  }

  /** From one key to the next, about; without end where that is not said. */
  private static double step(AggregationBuilder histogram) {
    if (histogram instanceof HistogramAggregationBuilder numbers) {
      return numbers.interval();
    }
    if (histogram instanceof DateHistogramAggregationBuilder dates) {
      DateHistogramInterval interval =
          dates.getFixedInterval() == null ? dates.getCalendarInterval() : dates.getFixedInterval();
      if (interval != null) {
        return interval.estimateMillis();
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Buckets that the extended bounds alone make, whatever the shards answer: known before any of
   * them is asked.
   */
  double certain() {
    return certain / UNEVEN;
  }

  private static void find(
      Collection<AggregationBuilder> aggregations, String above, Map<String, Bounds> filling) {
    for (AggregationBuilder aggregation : aggregations) {
      String path = above + ">" + aggregation.getName();
      if (aggregation instanceof DateHistogramAggregationBuilder dates
          && dates.minDocCount() == 0) {
        filling.put(path, bounds(dates));
      } else if (aggregation instanceof HistogramAggregationBuilder numbers
          && numbers.minDocCount() == 0) {
        // the steps of numbers may be lost in their rounding, which the answer's next key shows
        filling.put(
            path,
            new Bounds(
                finite(numbers.minBound()), finite(numbers.maxBound()), Double.POSITIVE_INFINITY));
      }
      find(aggregation.getSubAggregations(), path, filling);
    }
  }

  private static double finite(double bound) {
    return Double.isInfinite(bound) ? Double.NaN : bound;
  }

  /** A bound stays as it was written until a shard reads it; it shows itself as JSON only. */
  private static Bounds bounds(DateHistogramAggregationBuilder dates) {
    LongBounds bounds = dates.extendedBounds();
    double step = step(dates);
    if (bounds == null) {
      return new Bounds(Double.NaN, Double.NaN, step);
    }
    Map<String, Object> written =
        XContentHelper.convertToMap(
            JsonXContent.jsonXContent, Strings.toString(MediaTypeRegistry.JSON, bounds), false);
    DateFormatter format =
        DateFormatter.forPattern(Objects.requireNonNullElse(dates.format(), DATES));
    return new Bounds(millis(written.get("min"), format), millis(written.get("max"), format), step);
  }

  private static double millis(@Nullable Object bound, DateFormatter format) {
    if (bound instanceof Number number) {
      return number.doubleValue();
    }
    if (bound == null) {
      return Double.NaN;
    }
    try {
      return format
          .toDateMathParser()
          .parse(bound.toString(), System::currentTimeMillis, false, ZoneOffset.UTC)
          .toEpochMilli();
    } catch (RuntimeException e) {
      return Double.NaN; // in the field's own format, or wrong: a shard reads it or says so
    }
  }

  /** A shard has answered; buckets of the whole search after it, at least. */
  synchronized double add(Aggregations answer) {
    walk(answer.asList(), "", "");
    return total / UNEVEN;
  }

  private void walk(List<Aggregation> aggregations, String path, String place) {
    for (Aggregation aggregation : aggregations) {
      String deeper = path + ">" + aggregation.getName();
      Bounds bounds = filling.get(deeper);
      boolean goesOn = above.contains(deeper);
      if (bounds == null && !goesOn) {
        continue;
      }
      String here = place + ">" + aggregation.getName();
      if (bounds != null
          && aggregation instanceof HistogramFactory keys
          && aggregation instanceof MultiBucketsAggregation histogram) {
        range(here, bounds, keys, histogram.getBuckets());
      }
      if (!goesOn) {
        continue;
      }
      if (aggregation instanceof MultiBucketsAggregation buckets) {
        for (MultiBucketsAggregation.Bucket bucket : buckets.getBuckets()) {
          walk(bucket.getAggregations().asList(), deeper, here + "[" + bucket.getKey() + "]");
        }
      } else if (aggregation instanceof SingleBucketAggregation bucket) {
        walk(bucket.getAggregations().asList(), deeper, here);
      }
    }
  }

  /** Of dates as it was asked for: an answer looks for the next one in a table of its time zone. */
  private static double step(Bounds bounds, HistogramFactory keys, Number last) {
    return Double.isInfinite(bounds.step)
        ? keys.nextKey(last).doubleValue() - last.doubleValue()
        : bounds.step;
  }

  private void range(
      String place,
      Bounds bounds,
      HistogramFactory keys,
      List<? extends MultiBucketsAggregation.Bucket> buckets) {
    Range range = ranges.computeIfAbsent(place, absent -> new Range());
    total -= range.buckets();
    if (!buckets.isEmpty()) {
      range.add(keys.getKey(buckets.getFirst()).doubleValue());
      range.add(keys.getKey(buckets.getLast()).doubleValue());
    }
    boolean both = !Double.isNaN(bounds.lowest) && !Double.isNaN(bounds.highest);
    if (both || range.lowest <= range.highest) {
      range.add(bounds.lowest);
      range.add(bounds.highest);
      range.step = Math.min(range.step, step(bounds, keys, range.highest));
    }
    total += range.buckets();
  }
}
