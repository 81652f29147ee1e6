package io.millrace.search.columns;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;

/** The columns on their way from the coordinating node to the shards: a section of the search. */
final class ColumnsExt extends SearchExtBuilder {
  static final String NAME = "millrace_columns";

  private final List<ColumnSpec> columns;

  ColumnsExt(List<ColumnSpec> columns) {
    this.columns = List.copyOf(columns);
  }

  ColumnsExt(StreamInput in) throws IOException {
    this(in.readList(ColumnSpec::new));
  }

  /** A client asks by the endpoint, which makes room for the values in the answer. */
  static ColumnsExt parse(XContentParser parser) {
    throw new IllegalArgumentException(
        "[ext." + NAME + "] is written by GET {index}/_millrace/columns; ask that instead");
  }

  List<ColumnSpec> columns() {
    return columns;
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeList(columns);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startArray(NAME);
    for (ColumnSpec each : columns) {
      builder.value(each.field());
    }
    return builder.endArray();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ColumnsExt ext && columns.equals(ext.columns);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(columns);
  }
}
