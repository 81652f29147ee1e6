package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramInterval;
import org.opensearch.search.aggregations.bucket.histogram.LongBounds;

class GapBucketsTest {
  private static DateHistogramAggregationBuilder dates(LongBounds bounds) {
    return AggregationBuilders.dateHistogram("d").field("at").extendedBounds(bounds);
  }

  private static double certain(AggregationBuilder aggregation) {
    GapBuckets gaps = GapBuckets.of(List.of(aggregation));
    assertNotNull(gaps);
    return gaps.certain();
  }

  @Test
  void whatBoundsAloneMakeIsKnownBeforeAnyShardAnswers() {
    LongBounds day = new LongBounds(0L, 86_400_000L);
    assertEquals(
        86_400_000 / 1.2, certain(dates(day).fixedInterval(new DateHistogramInterval("1ms"))), 1);
    assertEquals(24 / 1.2, certain(dates(day).calendarInterval(DateHistogramInterval.HOUR)), 1e-9);
    assertEquals(
        365 * 100 / 1.2,
        certain(
            dates(new LongBounds("1925-01-01", "2025-01-01"))
                .calendarInterval(DateHistogramInterval.DAY)),
        30);
    assertEquals(
        1e9 / 1.2,
        certain(
            AggregationBuilders.histogram("n").field("n").interval(1e-3).extendedBounds(0, 1e6)),
        1);
  }

  @Test
  void whatDependsOnDocumentsIsNot() {
    LongBounds day = new LongBounds(0L, 86_400_000L);
    DateHistogramAggregationBuilder fine =
        dates(day).fixedInterval(new DateHistogramInterval("1ms"));
    assertEquals(0, certain(AggregationBuilders.terms("t").field("f").subAggregation(fine)));
    assertEquals(0, certain(AggregationBuilders.histogram("n").field("n").interval(1e-9)));
    assertEquals(
        0,
        certain(dates(new LongBounds(5L, null)).fixedInterval(new DateHistogramInterval("1ms"))));
    assertEquals(0, certain(dates(day))); // an interval that is absent is an error of its own
    assertNull(GapBuckets.of(List.of(fine.minDocCount(1))));
  }
}
