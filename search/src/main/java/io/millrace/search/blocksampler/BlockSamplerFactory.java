package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.AggregatorFactory;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.internal.SearchContext;

/** Decides for a shard whether a sample of it is worth something. */
final class BlockSamplerFactory extends AggregatorFactory {
  private final Sampling sampling;
  private final List<SamplerChild> plan;
  private final BlockSamplerBuilder.Count count;
  private final AggregatorFactories.Builder children;

  BlockSamplerFactory(
      String name,
      Sampling sampling,
      List<SamplerChild> plan,
      BlockSamplerBuilder.Count count,
      QueryShardContext context,
      AggregatorFactories.Builder children,
      Map<String, Object> meta)
      throws IOException {
    super(name, context, null, children, meta);
    this.sampling = sampling;
    this.plan = plan;
    this.count = count;
    this.children = children;
  }

  @Override
  protected Aggregator createInternal(
      SearchContext context,
      Aggregator parent,
      CardinalityUpperBound cardinality,
      Map<String, Object> meta)
      throws IOException {
    boolean sampled = worthIt(context);
    count.done(sampled);
    return sampled
        ? new SamplingAggregator(name, sampling, plan, factories, ofGroup(), context, parent, meta)
        : new ExactAggregator(name, sampling, factories, context, parent, cardinality, meta);
  }

  /** The aggregations that a group of blocks has for itself. */
  private AggregatorFactories ofGroup() throws IOException {
    Set<String> sampled = new HashSet<>();
    plan.stream().filter(SamplerChild::sampled).forEach(child -> sampled.add(child.name()));
    AggregatorFactories.Builder builder = new AggregatorFactories.Builder();
    for (AggregationBuilder child : children.getAggregatorFactories()) {
      if (sampled.contains(child.getName())) {
        builder.addAggregator(child);
      }
    }
    return builder.build(queryShardContext, this);
  }

  private boolean worthIt(SearchContext context) throws IOException {
    if (sampling.every() == 1
        || context.query() == null
        // both look at each document that is found, which a sampler does not find
        || context.minimumScore() != null
        || context.terminateAfter() != SearchContext.DEFAULT_TERMINATE_AFTER
        || !sampling.worthIt(context.searcher().getIndexReader().maxDoc())) {
      return false;
    }
    // a searcher of its own: an estimate is no part of a profile nor of the query cache
    IndexSearcher searcher = new IndexSearcher(context.searcher().getIndexReader());
    searcher.setQueryCache(null);
    Weight weight =
        searcher.createWeight(searcher.rewrite(context.query()), ScoreMode.COMPLETE_NO_SCORES, 1);
    long found = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      ScorerSupplier supplier = weight.scorerSupplier(leaf);
      found += supplier == null ? 0 : supplier.cost();
      if (sampling.worthIt(found)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected boolean supportsConcurrentSegmentSearch() {
    return true;
  }
}
