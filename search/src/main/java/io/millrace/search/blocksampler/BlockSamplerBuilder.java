package io.millrace.search.blocksampler;

import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.aggregations.AbstractAggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.AggregatorFactory;

/**
 * {@code "block_sampler": {"probability": 0.1, "seed": 7, "confidence": 0.95, "min_docs": 20000}}.
 */
final class BlockSamplerBuilder extends AbstractAggregationBuilder<BlockSamplerBuilder> {
  static final String NAME = "block_sampler";

  private static final String REMEDY = "; it takes probability, seed, confidence and min_docs";
  private static final double LEAST = 1e-6;

  /** Told of each shard or slice whether it is sampled. */
  interface Count {
    void done(boolean sampled);
  }

  private final Count count;
  private double probability = 0.1;
  private long seed;
  private double confidence = 0.95;
  private int minDocs = 20_000;

  BlockSamplerBuilder(String name, Count count) {
    super(name);
    this.count = count;
  }

  BlockSamplerBuilder(StreamInput in, Count count) throws IOException {
    super(in);
    this.count = count;
    probability = in.readDouble();
    seed = in.readLong();
    confidence = in.readDouble();
    minDocs = in.readVInt();
  }

  private BlockSamplerBuilder(
      BlockSamplerBuilder from, AggregatorFactories.Builder children, Map<String, Object> meta) {
    super(from, children, meta);
    count = from.count;
    probability = from.probability;
    seed = from.seed;
    confidence = from.confidence;
    minDocs = from.minDocs;
  }

  static BlockSamplerBuilder parse(String name, XContentParser parser, Switch enabled, Count count)
      throws IOException {
    if (!enabled.on()) {
      throw new IllegalArgumentException(
          "["
              + enabled.setting().getKey()
              + "] is [false], so there is no aggregation ["
              + NAME
              + "]; set it to true, or ask without the sampler");
    }
    BlockSamplerBuilder builder = new BlockSamplerBuilder(name, count);
    String field = "";
    for (Token token = parser.nextToken(); token != Token.END_OBJECT; token = parser.nextToken()) {
      if (token == Token.FIELD_NAME) {
        field = parser.currentName();
        continue;
      }
      if (!token.isValue()) {
        throw new ParsingException(
            parser.getTokenLocation(), "[" + NAME + "] [" + field + "] is no number" + REMEDY);
      }
      switch (field) {
        case "probability" -> builder.probability(number(field, parser));
        case "confidence" -> builder.confidence(number(field, parser));
        case "seed" -> builder.seed(whole(field, parser, Long.MIN_VALUE, Long.MAX_VALUE));
        case "min_docs" -> builder.minDocs((int) whole(field, parser, 0, Integer.MAX_VALUE));
        default ->
            throw new ParsingException(
                parser.getTokenLocation(),
                "[" + NAME + "] does not know the field [" + field + "]" + REMEDY);
      }
    }
    return builder;
  }

  private static double number(String field, XContentParser parser) throws IOException {
    String text = parser.text();
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "[" + NAME + "] [" + field + "] is [" + text + "]; give a number", e);
    }
  }

  private static long whole(String field, XContentParser parser, long least, long most)
      throws IOException {
    String text = parser.text();
    String remedy = "; give a whole number between [" + least + "] and [" + most + "]";
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "[" + NAME + "] [" + field + "] is [" + text + "]" + remedy, e);
    }
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "[" + NAME + "] [" + field + "] is [" + text + "]" + remedy);
    }
    return value;
  }

  BlockSamplerBuilder probability(double value) {
    if (!(value >= LEAST && value <= 1)) {
      throw new IllegalArgumentException(
          "["
              + NAME
              + "] [probability] is ["
              + value
              + "]; give a number between [0.000001] and [1], which is every document");
    }
    probability = value;
    return this;
  }

  BlockSamplerBuilder confidence(double value) {
    if (!(value >= 0.5 && value <= 0.999)) {
      throw new IllegalArgumentException(
          "["
              + NAME
              + "] [confidence] is ["
              + value
              + "]; give a number between [0.5] and [0.999]");
    }
    confidence = value;
    return this;
  }

  BlockSamplerBuilder seed(long value) {
    seed = value;
    return this;
  }

  BlockSamplerBuilder minDocs(int value) {
    minDocs = value;
    return this;
  }

  private Sampling sampling() {
    return new Sampling((int) Math.round(1 / probability), seed, confidence, minDocs);
  }

  @Override
  protected void doWriteTo(StreamOutput out) throws IOException {
    out.writeDouble(probability);
    out.writeLong(seed);
    out.writeDouble(confidence);
    out.writeVInt(minDocs);
  }

  @Override
  protected AggregationBuilder shallowCopy(
      AggregatorFactories.Builder children, Map<String, Object> meta) {
    return new BlockSamplerBuilder(this, children, meta);
  }

  @Override
  public BucketCardinality bucketCardinality() {
    return BucketCardinality.ONE;
  }

  @Override
  protected AggregatorFactory doBuild(
      QueryShardContext context,
      @Nullable AggregatorFactory parent,
      AggregatorFactories.Builder children)
      throws IOException {
    if (parent != null) {
      throw new IllegalArgumentException(
          "["
              + NAME
              + "] ["
              + name
              + "] stands inside of ["
              + parent.name()
              + "]; let it stand at the top of [aggs], and put the other aggregation into it");
    }
    List<SamplerChild> plan = new ArrayList<>();
    for (AggregationBuilder child : children.getAggregatorFactories()) {
      plan.add(SamplerChild.of(child, context));
    }
    return new BlockSamplerFactory(name, sampling(), plan, count, context, children, metadata);
  }

  @Override
  protected XContentBuilder internalXContent(XContentBuilder builder, Params params)
      throws IOException {
    return builder
        .startObject()
        .field("probability", probability)
        .field("seed", seed)
        .field("confidence", confidence)
        .field("min_docs", minDocs)
        .endObject();
  }

  @Override
  public String getType() {
    return NAME;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof BlockSamplerBuilder that
        && probability == that.probability
        && seed == that.seed
        && confidence == that.confidence
        && minDocs == that.minDocs;
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), probability, seed, confidence, minDocs);
  }
}
