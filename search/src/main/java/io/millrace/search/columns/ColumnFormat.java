package io.millrace.search.columns;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;

/** The forms in which a table is answered. */
enum ColumnFormat {
  /** One JSON object with an array for each column. */
  JSON("application/json; charset=UTF-8", "application/json") {
    @Override
    BytesReference write(ColumnTable table, SearchResponse response) throws IOException {
      BytesStreamOutput out = new BytesStreamOutput();
      try (XContentBuilder builder = new XContentBuilder(JsonXContent.jsonXContent, out)) {
        builder.startObject();
        builder.field("took", response.getTook().millis());
        builder.field("timed_out", response.isTimedOut());
        builder.startObject("_shards");
        builder.field("total", response.getTotalShards());
        builder.field("successful", response.getSuccessfulShards());
        builder.field("skipped", response.getSkippedShards());
        builder.field("failed", response.getFailedShards());
        builder.endObject();
        if (response.getHits().getTotalHits() != null) {
          builder.startObject("total");
          builder.field("value", response.getHits().getTotalHits().value());
          builder.field(
              "relation",
              response.getHits().getTotalHits().relation().name().startsWith("EQUAL")
                  ? "eq"
                  : "gte");
          builder.endObject();
        }
        if (response.pointInTimeId() != null) {
          builder.field("pit_id", response.pointInTimeId());
        }
        Object[] last = last(response);
        if (last != null) {
          builder.array("search_after", last);
        }
        builder.field("rows", table.rows());
        builder.startArray("columns");
        for (TableColumn column : table.columns()) {
          builder.startObject();
          builder.field("name", column.name());
          builder.field("type", column.kind().shown());
          builder.startArray("values");
          for (int row = 0; row < table.rows(); row++) {
            row(builder, column, row);
          }
          builder.endArray().endObject();
        }
        builder.endArray().endObject();
      }
      return out.bytes();
    }
  },
  /** A JSON object for each row, one in a line. */
  NDJSON("application/x-ndjson; charset=UTF-8", "application/x-ndjson") {
    @Override
    BytesReference write(ColumnTable table, SearchResponse response) throws IOException {
      return JsonLines.of(table);
    }
  },
  /** The stream format of Apache Arrow's IPC. */
  ARROW("application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.stream") {
    @Override
    BytesReference write(ColumnTable table, SearchResponse response) throws IOException {
      return ArrowStream.of(table);
    }
  };

  private final String contentType;
  private final String mediaType;

  ColumnFormat(String contentType, String mediaType) {
    this.contentType = contentType;
    this.mediaType = mediaType;
  }

  String contentType() {
    return contentType;
  }

  abstract BytesReference write(ColumnTable table, SearchResponse response) throws IOException;

  /**
   * The format that a request names, else the one that it accepts, else JSON.
   *
   * @param named the parameter {@code format}
   * @param accepted the values of the header {@code Accept}
   * @throws IllegalArgumentException when the name is unknown
   */
  static ColumnFormat of(@Nullable String named, @Nullable List<String> accepted) {
    if (named != null) {
      return Arrays.stream(values())
          .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(named))
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException(
                  "[format] is [" + named + "]; use [json], [ndjson] or [arrow]"));
    }
    String header = accepted == null ? "" : String.join(",", accepted);
    for (ColumnFormat each : List.of(ARROW, NDJSON)) {
      if (header.contains(each.mediaType)) {
        return each;
      }
    }
    return JSON;
  }

  /** The sort values of the last hit, which the next page begins behind; null without a sort. */
  static Object @Nullable [] last(SearchResponse response) {
    int hits = response.getHits().getHits().length;
    if (hits == 0) {
      return null;
    }
    Object[] values = response.getHits().getAt(hits - 1).getSortValues();
    return values.length == 0 ? null : values;
  }

  /** As {@link #last}, in JSON. */
  static @Nullable String lastAsJson(SearchResponse response) throws IOException {
    Object[] last = last(response);
    if (last == null) {
      return null;
    }
    try (XContentBuilder builder = JsonXContent.contentBuilder()) {
      builder.startArray();
      for (Object each : last) {
        builder.value(each);
      }
      builder.endArray();
      return BytesReference.bytes(builder).utf8ToString();
    }
  }

  /** The values of a row: null, one value, or a list of several. */
  private static void row(XContentBuilder builder, TableColumn column, int row) throws IOException {
    int count = column.count(row);
    boolean list = column.list() || count > 1;
    if (!list) {
      if (count == 0) {
        builder.nullValue();
      } else {
        value(builder, column, row, 0);
      }
      return;
    }
    builder.startArray();
    for (int i = 0; i < count; i++) {
      value(builder, column, row, i);
    }
    builder.endArray();
  }

  private static void value(XContentBuilder builder, TableColumn column, int row, int value)
      throws IOException {
    switch (column.kind()) {
      case LONG -> builder.value(column.number(row, value));
      case DOUBLE -> builder.value(column.floating(row, value));
      case BOOLEAN -> builder.value(column.number(row, value) != 0);
      default -> builder.value(column.text(row, value));
    }
  }
}
