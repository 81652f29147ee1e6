package io.millrace.search.blocksampler;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;

/**
 * The aggregation {@code block_sampler}: estimates of what it holds, from a random sample of blocks
 * of documents, each with an interval.
 *
 * <p>Why: stock's {@code sampler} takes the best documents, which says nothing about all of them.
 * Promise: {@code block-sampling}.
 */
public final class BlockSamplerFeature implements Feature {
  static final String ID = "search.block-sampler";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final LongAdder sampled = new LongAdder();
  private final LongAdder exact = new LongAdder();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "The aggregation `block_sampler` estimates counts, histograms, sums and averages from a "
        + "sample of blocks, with intervals";
  }

  @Override
  public List<String> sources() {
    return List.of("block-sampling", "sampling-error");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "sampled",
            "searches",
            "Searches of a shard, or of a slice of one, that were sampled",
            sampled::sum),
        Metric.counter(
            "exact",
            "searches",
            "Searches of a shard, or of a slice of one, that ran over all documents because a "
                + "sample would have been too small",
            exact::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.aggregation(
        new AggregationSpec(
                BlockSamplerBuilder.NAME,
                in -> new BlockSamplerBuilder(in, this::count),
                (XContentParser parser, String name) ->
                    BlockSamplerBuilder.parse(name, parser, enabled, this::count))
            .addResultReader(InternalBlockSampler::new)
            .addResultReader(InternalInterval.NAME, InternalInterval::new));
  }

  private void count(boolean wasSampled) {
    (wasSampled ? sampled : exact).increment();
  }
}
