package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.aggregations.InternalAggregation;

/**
 * The interval of the value beside it: {@code {"lower": 1, "upper": 2}}; one for each key where the
 * value has several.
 */
final class InternalInterval extends InternalAggregation {
  static final String NAME = "block_sampler_interval";

  /** What the name of a value gets for that of its interval. */
  static final String SUFFIX = "_interval";

  /** The key of a value that has none. */
  static final String ONLY = "";

  /** Whole numbers of documents are written as such, others with their fraction. */
  record Bounds(double lower, double upper) {}

  private final Map<String, Bounds> bounds;

  InternalInterval(String name, Map<String, Bounds> bounds) {
    super(name, null); // nothing to say of it
    this.bounds = new TreeMap<>(bounds);
  }

  InternalInterval(StreamInput in) throws IOException {
    super(in);
    bounds = new TreeMap<>();
    for (int left = in.readVInt(); left > 0; left--) {
      bounds.put(in.readString(), new Bounds(in.readDouble(), in.readDouble()));
    }
  }

  @Override
  protected void doWriteTo(StreamOutput out) throws IOException {
    out.writeVInt(bounds.size());
    for (Map.Entry<String, Bounds> each : bounds.entrySet()) {
      out.writeString(each.getKey());
      out.writeDouble(each.getValue().lower);
      out.writeDouble(each.getValue().upper);
    }
  }

  Map<String, Bounds> bounds() {
    return bounds;
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }

  /** Intervals appear when everything is reduced; what has one is not reduced again. */
  @Override
  public InternalAggregation reduce(List<InternalAggregation> all, ReduceContext context) {
    return this;
  }

  @Override
  protected boolean mustReduceOnSingleInternalAgg() {
    return false;
  }

  @Override
  public Object getProperty(List<String> path) {
    Bounds only = bounds.get(ONLY);
    if (path.isEmpty()) {
      return this;
    }
    if (path.size() == 1 && only != null && path.get(0).equals("lower")) {
      return only.lower;
    }
    if (path.size() == 1 && only != null && path.get(0).equals("upper")) {
      return only.upper;
    }
    throw new IllegalArgumentException(
        "[" + getName() + "] has no " + path + "; it has [lower] and [upper]");
  }

  @Override
  public XContentBuilder doXContentBody(XContentBuilder builder, Params params) throws IOException {
    Bounds only = bounds.get(ONLY);
    if (only != null) {
      return write(builder, only);
    }
    builder.startObject("values");
    for (Map.Entry<String, Bounds> each : bounds.entrySet()) {
      builder.startObject(each.getKey());
      write(builder, each.getValue());
      builder.endObject();
    }
    return builder.endObject();
  }

  private static XContentBuilder write(XContentBuilder builder, Bounds each) throws IOException {
    return builder.field("lower", each.lower).field("upper", each.upper);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof InternalInterval that
        && bounds.equals(that.bounds);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), bounds);
  }
}
