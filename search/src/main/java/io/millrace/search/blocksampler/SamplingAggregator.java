package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.search.SearchService;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.BucketCollector;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.aggregations.LeafBucketCollectorBase;
import org.opensearch.search.aggregations.MultiBucketCollector;
import org.opensearch.search.aggregations.bucket.BucketsAggregator;
import org.opensearch.search.aggregations.bucket.SingleBucketAggregator;
import org.opensearch.search.internal.SearchContext;

/**
 * Runs the query over one block of each stratum, and hands what it finds to the bucket of the
 * block's group.
 *
 * <p>It drives the query itself while a segment is opened, and then tells the search that it needs
 * no more of the segment. What cannot be sampled collects all documents, as in stock.
 */
final class SamplingAggregator extends BucketsAggregator implements SingleBucketAggregator {
  private static final int BLOCKS_BETWEEN_CHECKS = 64;

  private final Sampling sampling;
  private final List<Aggregator> sampled = new ArrayList<>();
  private final List<Aggregator> whole = new ArrayList<>();
  private final List<ExtremeChild> extremes = new ArrayList<>();
  private final long shard;
  private final long end;
  private @Nullable Weight weight;
  private long documents;

  SamplingAggregator(
      String name,
      Sampling sampling,
      List<SamplerChild> plan,
      AggregatorFactories factories,
      SearchContext context,
      Aggregator parent,
      Map<String, Object> meta)
      throws IOException {
    super(
        name,
        factories,
        context,
        parent,
        CardinalityUpperBound.ONE.multiply(Sampling.GROUPS),
        meta);
    this.sampling = sampling;
    ShardId id = context.indexShard().shardId();
    this.shard = 31L * id.getIndexName().hashCode() + id.id();
    boolean timed =
        context.timeout() != null && !context.timeout().equals(SearchService.NO_TIMEOUT);
    this.end =
        timed ? context.getRelativeTimeInMillis() + context.timeout().millis() : Long.MAX_VALUE;
    for (SamplerChild child : plan) {
      Aggregator aggregator = subAggregator(child.name());
      if (child.sampled()) {
        sampled.add(aggregator);
      } else if (child.extreme() == null) {
        whole.add(aggregator);
      } else {
        extremes.add(new ExtremeChild(aggregator, child.extreme(), child.greatest()));
      }
    }
  }

  /** Children get their collectors of a segment here, not all of them for all documents. */
  @Override
  protected void doPreCollection() throws IOException {
    BucketCollector all = collectableSubAggregators;
    collectableSubAggregators =
        new BucketCollector() {
          @Override
          public LeafBucketCollector getLeafCollector(LeafReaderContext leaf) {
            return LeafBucketCollector.NO_OP_COLLECTOR;
          }

          @Override
          public void preCollection() throws IOException {
            all.preCollection();
          }

          @Override
          public void postCollection() throws IOException {
            all.postCollection();
          }

          @Override
          public ScoreMode scoreMode() {
            return all.scoreMode();
          }
        };
  }

  @Override
  protected LeafBucketCollector getLeafCollector(LeafReaderContext leaf, LeafBucketCollector none)
      throws IOException {
    sample(leaf);
    List<BucketCollector> all = new ArrayList<>(whole);
    for (ExtremeChild extreme : extremes) {
      if (!extreme.collect(leaf, weight(), this::goOn)) {
        all.add(extreme.aggregator());
      }
    }
    if (all.isEmpty()) {
      throw new CollectionTerminatedException();
    }
    LeafBucketCollector every = MultiBucketCollector.wrap(all).getLeafCollector(leaf);
    return new LeafBucketCollectorBase(every, null) {
      @Override
      public void collect(int doc, long bucket) throws IOException {
        every.collect(doc, 0);
      }
    };
  }

  private Weight weight() throws IOException {
    Weight known = weight;
    if (known == null) {
      known =
          context
              .searcher()
              .createWeight(context.searcher().rewrite(context.query()), scoreMode(), 1);
      weight = known;
    }
    return known;
  }

  private void sample(LeafReaderContext leaf) throws IOException {
    BulkScorer scorer = weight().bulkScorer(leaf);
    if (scorer == null) {
      return;
    }
    grow(Sampling.GROUPS);
    LeafBucketCollector children;
    try {
      children = MultiBucketCollector.wrap(sampled).getLeafCollector(leaf);
    } catch (CollectionTerminatedException e) {
      children = LeafBucketCollector.NO_OP_COLLECTOR; // no field of theirs is in this segment
    }
    Groups groups = new Groups(children);
    Bits live = leaf.reader().getLiveDocs();
    long from = leaf.docBase;
    long to = from + leaf.reader().maxDoc();
    long first = from / sampling.stratum();
    long last = (to - 1) / sampling.stratum();
    for (long stratum = first; stratum <= last; stratum++) {
      if ((stratum - first) % BLOCKS_BETWEEN_CHECKS == 0) {
        goOn();
      }
      long start = sampling.start(stratum, shard);
      int min = (int) (Math.max(start, from) - from);
      int max = (int) (Math.min(start + sampling.block(), to) - from);
      if (min < max) {
        groups.group = Sampling.group(stratum);
        scorer.score(groups, live, min, max);
        groups.flush();
      }
    }
  }

  /** Ends the work on a segment where the search has been cancelled or its time is over. */
  private void goOn() {
    checkCancelled();
    if (context.getRelativeTimeInMillis() >= end) {
      context.setSearchTimedOut(true);
      throw new CollectionTerminatedException();
    }
  }

  /** Counts the documents of one block, and hands them to the bucket of its group. */
  private final class Groups implements LeafCollector {
    private final LeafBucketCollector children;
    private int group;
    private long found;

    Groups(LeafBucketCollector children) {
      this.children = children;
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      children.setScorer(scorer);
    }

    @Override
    public void collect(int doc) throws IOException {
      documents++;
      found += docCountProvider.getDocCount(doc);
      children.collect(doc, group);
    }

    @Override
    public void collect(DocIdStream stream) throws IOException {
      stream.forEach(this::collect);
    }

    void flush() {
      if (found > 0) {
        incrementBucketDocCount(group, found);
        found = 0;
      }
    }
  }

  @Override
  public InternalAggregation[] buildAggregations(long[] owners) throws IOException {
    long[] ords = LongStream.range(0, Sampling.GROUPS).toArray();
    List<List<InternalAggregation>> children = new ArrayList<>();
    for (int group = 0; group < Sampling.GROUPS; group++) {
      children.add(new ArrayList<>());
    }
    for (Aggregator child : sampled) {
      checkCancelled();
      InternalAggregation[] built = child.buildAggregations(ords);
      for (int group = 0; group < Sampling.GROUPS; group++) {
        children.get(group).add(built[group]);
      }
    }
    List<InternalAggregation> exact = new ArrayList<>();
    for (Aggregator child : whole) {
      exact.add(child.buildAggregations(new long[] {0})[0]);
    }
    for (ExtremeChild extreme : extremes) {
      exact.add(extreme.aggregator().buildAggregations(new long[] {0})[0]);
    }
    List<SampleGroup> groups = new ArrayList<>();
    for (int group = 0; group < Sampling.GROUPS; group++) {
      groups.add(
          new SampleGroup(bucketDocCount(group), InternalAggregations.from(children.get(group))));
    }
    return new InternalAggregation[] {
      new InternalBlockSampler(
          name, 0, InternalAggregations.from(exact), metadata(), sampling, documents, groups)
    };
  }

  @Override
  public InternalAggregation buildEmptyAggregation() {
    return new InternalBlockSampler(
        name, 0, buildEmptySubAggregations(), metadata(), sampling, 0, List.of());
  }
}
