package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.mapper.DocCountFieldMapper;
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

  /** Of each group those that are sampled. */
  private final List<List<Aggregator>> sampled = new ArrayList<>();

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
      AggregatorFactories ofGroup,
      SearchContext context,
      Aggregator parent,
      Map<String, Object> meta)
      throws IOException {
    super(name, factories, context, parent, ofOneGroup(), meta);
    this.sampling = sampling;
    ShardId id = context.indexShard().shardId();
    this.shard = 31L * id.getIndexName().hashCode() + id.id();
    boolean timed =
        context.timeout() != null && !context.timeout().equals(SearchService.NO_TIMEOUT);
    this.end =
        timed ? context.getRelativeTimeInMillis() + context.timeout().millis() : Long.MAX_VALUE;
    List<Aggregator> first = new ArrayList<>();
    for (SamplerChild child : plan) {
      Aggregator aggregator = subAggregator(child.name());
      if (child.sampled()) {
        first.add(aggregator);
      } else if (child.extreme() == null) {
        whole.add(aggregator);
      } else {
        extremes.add(new ExtremeChild(aggregator, child.extreme(), child.greatest()));
      }
    }
    sampled.add(first);
    for (int group = 1; group < Sampling.GROUPS; group++) {
      sampled.add(List.of(ofGroup.createSubAggregators(context, this, ofOneGroup())));
    }
  }

  /**
   * Stock's aggregations go over the buckets of all parents to find those of one, so a group has
   * its own ones. For a single parent they would prepare a bucket for each term of the field.
   */
  private static CardinalityUpperBound ofOneGroup() {
    return CardinalityUpperBound.MANY;
  }

  /** Children get their collectors of a segment here, not all of them for all documents. */
  @Override
  protected void doPreCollection() throws IOException {
    List<BucketCollector> collectors = new ArrayList<>(List.of(collectableSubAggregators));
    sampled.subList(1, sampled.size()).forEach(collectors::addAll);
    BucketCollector all = MultiBucketCollector.wrap(collectors);
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
    ScorerSupplier supplier = weight().scorerSupplier(leaf);
    // so few documents are asked for: what would first collect all of its documents need not
    Scorer scorer = supplier == null ? null : supplier.get(supplier.cost() / sampling.every());
    if (scorer == null) {
      return;
    }
    grow(Sampling.GROUPS);
    List<LeafBucketCollector> children = children(leaf);
    for (LeafBucketCollector child : children) {
      child.setScorer(scorer);
    }
    Blocks blocks = new Blocks(scorer, leaf.reader().getLiveDocs(), children);
    long from = leaf.docBase;
    long to = from + leaf.reader().maxDoc();
    long first = from / sampling.stratum();
    long last = (to - 1) / sampling.stratum();
    for (long stratum = first; stratum <= last && blocks.more(); stratum++) {
      if ((stratum - first) % BLOCKS_BETWEEN_CHECKS == 0) {
        goOn();
      }
      long start = sampling.start(stratum, shard);
      int min = (int) (Math.max(start, from) - from);
      int max = (int) (Math.min(start + sampling.block(), to) - from);
      if (min < max) {
        blocks.collect(min, max, Sampling.group(stratum));
      }
    }
  }

  /**
   * The collectors of the groups. Their documents come in order and to one bucket, so a date
   * histogram may take the bucket of a block of documents from the skip list; but it would count
   * one for each document there.
   */
  private List<LeafBucketCollector> children(LeafReaderContext leaf) throws IOException {
    boolean counted = leaf.reader().getFieldInfos().fieldInfo(DocCountFieldMapper.NAME) != null;
    leafCollectorMode = counted ? LeafCollectionMode.NORMAL : LeafCollectionMode.FILTER_REWRITE;
    try {
      List<LeafBucketCollector> children = new ArrayList<>();
      for (List<Aggregator> group : sampled) {
        children.add(collector(group, leaf));
      }
      return children;
    } finally {
      leafCollectorMode = LeafCollectionMode.NORMAL;
    }
  }

  private static LeafBucketCollector collector(List<Aggregator> group, LeafReaderContext leaf)
      throws IOException {
    try {
      return MultiBucketCollector.wrap(group).getLeafCollector(leaf);
    } catch (CollectionTerminatedException e) {
      return LeafBucketCollector.NO_OP_COLLECTOR; // no field of theirs is in this segment
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

  /** Counts the documents of one block after the other, and hands them to its group's bucket. */
  private final class Blocks {
    private final @Nullable TwoPhaseIterator second;
    private final DocIdSetIterator iterator;
    private final @Nullable Bits live;
    private final List<LeafBucketCollector> children;

    Blocks(Scorer scorer, @Nullable Bits live, List<LeafBucketCollector> children) {
      TwoPhaseIterator both = scorer.twoPhaseIterator();
      this.second = both;
      this.iterator = both == null ? scorer.iterator() : both.approximation();
      this.live = live;
      this.children = children;
    }

    boolean more() {
      return iterator.docID() != DocIdSetIterator.NO_MORE_DOCS;
    }

    void collect(int min, int max, int group) throws IOException {
      LeafBucketCollector collector = children.get(group);
      long found = 0;
      int doc = iterator.docID() < min ? iterator.advance(min) : iterator.docID();
      for (; doc < max; doc = iterator.nextDoc()) {
        if ((live == null || live.get(doc)) && (second == null || second.matches())) {
          documents++;
          found += docCountProvider.getDocCount(doc);
          collector.collect(doc, 0);
        }
      }
      if (found > 0) {
        incrementBucketDocCount(group, found);
      }
    }
  }

  @Override
  public InternalAggregation[] buildAggregations(long[] owners) throws IOException {
    List<SampleGroup> groups = new ArrayList<>();
    for (int group = 0; group < Sampling.GROUPS; group++) {
      checkCancelled();
      List<InternalAggregation> built = new ArrayList<>();
      for (Aggregator child : sampled.get(group)) {
        built.add(child.buildAggregations(new long[] {0})[0]);
      }
      groups.add(new SampleGroup(bucketDocCount(group), InternalAggregations.from(built)));
    }
    List<InternalAggregation> exact = new ArrayList<>();
    for (Aggregator child : whole) {
      exact.add(child.buildAggregations(new long[] {0})[0]);
    }
    for (ExtremeChild extreme : extremes) {
      exact.add(extreme.aggregator().buildAggregations(new long[] {0})[0]);
    }
    return new InternalAggregation[] {
      new InternalBlockSampler(
          name, 0, InternalAggregations.from(exact), metadata(), sampling, true, documents, groups)
    };
  }

  @Override
  public InternalAggregation buildEmptyAggregation() {
    return new InternalBlockSampler(
        name, 0, buildEmptySubAggregations(), metadata(), sampling, true, 0, List.of());
  }
}
