package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.bucket.InternalSingleBucketAggregation;

/**
 * What a sampler found. Its own bucket holds what was read whole; the groups of the sample stay
 * apart, without weight, until everything is there. Then each value of the groups shows how far the
 * sample is to be trusted, and all of them together are weighed and added to the rest.
 */
final class InternalBlockSampler extends InternalSingleBucketAggregation {
  private final Sampling sampling;
  private final boolean estimated;
  private final long sampled;
  private final List<SampleGroup> groups;

  /**
   * @param docCount documents of what was read whole; of everything once reduced
   * @param estimated whether a part of it was sampled, even if the sample has no document
   * @param sampled documents in samples
   * @param groups none where nothing was sampled, or after the last reduction
   */
  InternalBlockSampler(
      String name,
      long docCount,
      InternalAggregations aggregations,
      Map<String, Object> meta,
      Sampling sampling,
      boolean estimated,
      long sampled,
      List<SampleGroup> groups) {
    super(name, docCount, aggregations, meta);
    this.sampling = sampling;
    this.estimated = estimated;
    this.sampled = sampled;
    this.groups = groups;
  }

  InternalBlockSampler(StreamInput in) throws IOException {
    super(in);
    sampling = new Sampling(in);
    estimated = in.readBoolean();
    sampled = in.readVLong();
    groups = in.readList(SampleGroup::new);
  }

  @Override
  protected void doWriteTo(StreamOutput out) throws IOException {
    super.doWriteTo(out);
    sampling.writeTo(out);
    out.writeBoolean(estimated);
    out.writeVLong(sampled);
    out.writeList(groups);
  }

  /** Documents in samples; 0 where everything was read. */
  long sampled() {
    return sampled;
  }

  @Override
  public String getWriteableName() {
    return BlockSamplerBuilder.NAME;
  }

  @Override
  protected InternalSingleBucketAggregation newAggregation(
      String name, long docCount, InternalAggregations aggregations) {
    return new InternalBlockSampler(
        name, docCount, aggregations, getMetadata(), sampling, estimated, sampled, groups);
  }

  @Override
  public InternalAggregation reduce(List<InternalAggregation> all, ReduceContext context) {
    long docCount = 0;
    boolean any = false;
    long documents = 0;
    List<InternalAggregations> whole = new ArrayList<>();
    List<List<SampleGroup>> parts = new ArrayList<>();
    for (InternalAggregation each : all) {
      InternalBlockSampler sampler = (InternalBlockSampler) each;
      docCount += sampler.getDocCount();
      any |= sampler.estimated;
      documents += sampler.sampled;
      whole.add(sampler.getAggregations());
      for (int i = 0; i < sampler.groups.size(); i++) {
        if (parts.size() == i) {
          parts.add(new ArrayList<>());
        }
        parts.get(i).add(sampler.groups.get(i));
      }
    }
    ReduceContext partly = context.isFinalReduce() ? partly(context) : context;
    List<SampleGroup> together =
        parts.stream().map(part -> SampleGroup.together(part, partly)).toList();
    if (!context.isFinalReduce() || together.isEmpty()) {
      return new InternalBlockSampler(
          getName(),
          docCount,
          InternalAggregations.reduce(whole, context),
          getMetadata(),
          sampling,
          any,
          documents,
          together);
    }
    // the groups are read before they are reduced, which may change them
    Estimates estimates = Estimates.of(together, sampling);
    SampleGroup sample = SampleGroup.together(together, partly);
    whole.add(new Weights(sampling.every(), partly).of(sample.aggregations()));
    long estimate = docCount + sampling.every() * sample.docCount();
    return new InternalBlockSampler(
        getName(),
        estimate,
        estimates.beside(InternalAggregations.reduce(whole, context), estimate),
        getMetadata(),
        sampling,
        true,
        documents,
        List.of());
  }

  private static ReduceContext partly(ReduceContext context) {
    return ReduceContext.forPartialReduction(
        context.bigArrays(), context.scriptService(), context.pipelineTreeForBwcSerialization());
  }

  @Override
  public XContentBuilder doXContentBody(XContentBuilder builder, Params params) throws IOException {
    builder.field("probability", estimated ? 1.0 / sampling.every() : 1.0);
    builder.field("confidence", sampling.confidence());
    builder.field("sampled_docs", sampled);
    return super.doXContentBody(builder, params);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof InternalBlockSampler that
        && sampling.equals(that.sampling)
        && estimated == that.estimated
        && sampled == that.sampled
        && groups.equals(that.groups);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), sampling, estimated, sampled, groups);
  }
}
