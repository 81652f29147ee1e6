package io.millrace.search.blocksampler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregation.ReduceContext;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.InternalMultiBucketAggregation;
import org.opensearch.search.aggregations.InternalMultiBucketAggregation.InternalBucket;
import org.opensearch.search.aggregations.bucket.InternalSingleBucketAggregation;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.bucket.histogram.HistogramFactory;
import org.opensearch.search.aggregations.bucket.terms.InternalTerms;
import org.opensearch.search.aggregations.bucket.terms.LongTerms;
import org.opensearch.search.aggregations.bucket.terms.StringTerms;

/**
 * What a sample found, as if each of its documents stood there so many times.
 *
 * <p>Results can be added up, which is how every aggregation can be multiplied: doubled, and
 * doubled again. That costs a reduction for each bit. So buckets are multiplied without what is in
 * them, and where a bucket can be made with a number of documents, it is made at once.
 */
final class Weights {
  private final long times;
  private final ReduceContext partly;

  /**
   * @param times how often each document counts
   * @param partly a context of a reduction that is not the last one
   */
  Weights(long times, ReduceContext partly) {
    this.times = times;
    this.partly = partly;
  }

  InternalAggregations of(InternalAggregations all) {
    List<InternalAggregation> weighed = new ArrayList<>();
    for (Aggregation each : all) {
      weighed.add(of((InternalAggregation) each));
    }
    return InternalAggregations.from(weighed);
  }

  private InternalAggregation of(InternalAggregation one) {
    if (one instanceof InternalSingleBucketAggregation single) {
      InternalAggregation alone = doubled(single.create(InternalAggregations.EMPTY));
      return ((InternalSingleBucketAggregation) alone).create(of(single.getAggregations()));
    }
    if (one instanceof HistogramFactory histogram) {
      return histogram(((MultiBucketsAggregation) one).getBuckets(), histogram);
    }
    if (one instanceof StringTerms terms && complete(terms)) {
      return strings(terms);
    }
    if (one instanceof LongTerms terms && complete(terms)) {
      return numbers(terms);
    }
    return one instanceof InternalMultiBucketAggregation<?, ?> buckets
        ? buckets(buckets)
        : doubled(one);
  }

  /** Sums and means are added up as often as the weight has bits. */
  private InternalAggregation doubled(InternalAggregation one) {
    InternalAggregation power = one;
    InternalAggregation product = null;
    for (long left = times; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        product = product == null ? power : sum(product, power);
      }
      if (left > 1) {
        power = sum(power, power);
      }
    }
    return product == null ? one : product;
  }

  private InternalAggregation sum(InternalAggregation one, InternalAggregation other) {
    return one.reduce(List.of(one, other), partly);
  }

  private InternalAggregation histogram(
      List<? extends MultiBucketsAggregation.Bucket> buckets, HistogramFactory histogram) {
    List<MultiBucketsAggregation.Bucket> weighed = new ArrayList<>(buckets.size());
    for (MultiBucketsAggregation.Bucket bucket : buckets) {
      weighed.add(
          histogram.createBucket(
              histogram.getKey(bucket), bucket.getDocCount() * times, inside(bucket)));
    }
    return histogram.createAggregation(weighed);
  }

  private InternalAggregations inside(MultiBucketsAggregation.Bucket bucket) {
    return of((InternalAggregations) bucket.getAggregations());
  }

  /** Neither a term nor a document of the list is missing, which would have a weight, too. */
  private boolean complete(InternalTerms<?, ?> terms) {
    return terms.getDocCountError() <= 0 && terms.getSumOfOtherDocCounts() == 0;
  }

  private InternalAggregation strings(StringTerms terms) {
    List<StringTerms.Bucket> weighed = new ArrayList<>();
    for (StringTerms.Bucket bucket : terms.getBuckets()) {
      DocValueFormat format = bucket.getFormat();
      if (format != DocValueFormat.RAW) { // the key is not the term
        return buckets(terms);
      }
      weighed.add(
          new StringTerms.Bucket(
              new BytesRef(bucket.getKeyAsString()),
              bucket.getDocCount() * times,
              inside(bucket),
              false,
              -1,
              format));
    }
    return terms.create(weighed);
  }

  private InternalAggregation numbers(LongTerms terms) {
    List<LongTerms.Bucket> weighed = new ArrayList<>();
    for (LongTerms.Bucket bucket : terms.getBuckets()) {
      if (!(bucket.getKey() instanceof Long term)) { // an unsigned one
        return buckets(terms);
      }
      weighed.add(
          new LongTerms.Bucket(
              term, bucket.getDocCount() * times, inside(bucket), false, -1, bucket.getFormat()));
    }
    return terms.create(weighed);
  }

  /** The buckets are doubled without what is in them, which then is put into them again. */
  private <A extends InternalMultiBucketAggregation<A, B>, B extends InternalBucket>
      InternalAggregation buckets(InternalMultiBucketAggregation<A, B> aggregation) {
    List<B> alone = new ArrayList<>();
    List<InternalAggregations> inside = new ArrayList<>();
    Map<Object, InternalAggregations> byKey = new HashMap<>();
    for (B bucket : aggregation.getBuckets()) {
      alone.add(aggregation.createBucket(InternalAggregations.EMPTY, bucket));
      inside.add(inside(bucket));
      byKey.put(bucket.getKey(), inside.getLast());
    }
    @SuppressWarnings("unchecked")
    A doubled = (A) doubled(aggregation.create(alone));
    // lists of terms may be in another order afterwards; ranges and filters may share a key
    boolean keyed = aggregation instanceof InternalTerms;
    List<B> filled = new ArrayList<>();
    for (B bucket : doubled.getBuckets()) {
      InternalAggregations below = keyed ? byKey.get(bucket.getKey()) : inside.get(filled.size());
      filled.add(doubled.createBucket(below == null ? InternalAggregations.EMPTY : below, bucket));
    }
    return doubled.create(filled);
  }
}
