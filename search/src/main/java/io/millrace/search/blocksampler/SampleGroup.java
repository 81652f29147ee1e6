package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.search.aggregations.InternalAggregation.ReduceContext;
import org.opensearch.search.aggregations.InternalAggregations;

/**
 * What one group of blocks found, without any weight.
 *
 * @param docCount its documents
 * @param aggregations what the sampled aggregations made of them
 */
record SampleGroup(long docCount, InternalAggregations aggregations) implements Writeable {
  SampleGroup(StreamInput in) throws IOException {
    this(in.readVLong(), InternalAggregations.readFrom(in));
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeVLong(docCount);
    aggregations.writeTo(out);
  }

  /** Those of several shards or slices together, not for the last time. */
  static SampleGroup together(List<SampleGroup> groups, ReduceContext context) {
    if (groups.size() == 1) {
      return groups.getFirst();
    }
    long docCount = 0;
    List<InternalAggregations> aggregations = new ArrayList<>();
    for (SampleGroup group : groups) {
      docCount += group.docCount;
      aggregations.add(group.aggregations);
    }
    return new SampleGroup(docCount, InternalAggregations.reduce(aggregations, context));
  }
}
