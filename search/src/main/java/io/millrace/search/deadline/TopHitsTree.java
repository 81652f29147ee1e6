package io.millrace.search.deadline;

import java.io.IOException;
import java.util.Collection;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.PipelineAggregationBuilder;
import org.opensearch.search.aggregations.metrics.TopHitsAggregationBuilder;

/** The aggregations that a search asks for, with {@link TimedTopHits} in the place of stock's. */
final class TopHitsTree {
  private TopHitsTree() {}

  static boolean in(Collection<AggregationBuilder> aggregations) {
    return aggregations.stream()
        .anyMatch(
            each -> each instanceof TopHitsAggregationBuilder || in(each.getSubAggregations()));
  }

  /**
   * The tree stays as it is: the coordinating node and other shards may hold the same objects.
   *
   * @throws IOException when the aggregations cannot be copied
   */
  static AggregatorFactories.Builder timed(
      AggregatorFactories.Builder asked, TopHitsFetch fetch, NamedWriteableRegistry registry)
      throws IOException {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      asked.writeTo(out);
      try (StreamInput copy =
          new NamedWriteableAwareStreamInput(out.bytes().streamInput(), registry)) {
        AggregatorFactories.Builder tree = new AggregatorFactories.Builder(copy);
        return timed(tree.getAggregatorFactories(), tree.getPipelineAggregatorFactories(), fetch);
      }
    }
  }

  private static AggregatorFactories.Builder timed(
      Collection<AggregationBuilder> aggregations,
      Collection<PipelineAggregationBuilder> pipelines,
      TopHitsFetch fetch) {
    AggregatorFactories.Builder timed = new AggregatorFactories.Builder();
    for (AggregationBuilder each : aggregations) {
      if (each instanceof TopHitsAggregationBuilder hits) {
        timed.addAggregator(new TimedTopHits(hits, fetch));
      } else {
        if (in(each.getSubAggregations())) {
          each.subAggregations(
              timed(each.getSubAggregations(), each.getPipelineAggregations(), fetch));
        }
        timed.addAggregator(each);
      }
    }
    pipelines.forEach(timed::addPipelineAggregator);
    return timed;
  }
}
