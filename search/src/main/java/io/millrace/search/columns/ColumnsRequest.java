package io.millrace.search.columns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.search.RestSearchAction;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * A search whose answer is columns.
 *
 * @param search stock's search with the columns as an extension and nothing else to fetch
 */
record ColumnsRequest(SearchRequest search, List<ColumnSpec> columns, ColumnFormat format) {
  /** Columns of one answer; beyond that a client most likely means all fields. */
  static final int MOST = 1000;

  /** What of a search's body has a place beside columns. */
  private static final Set<String> BODY =
      Set.of(
          "query",
          "post_filter",
          "sort",
          "from",
          "size",
          "search_after",
          "pit",
          "slice",
          "timeout",
          "terminate_after",
          "track_total_hits",
          "track_scores",
          "min_score",
          "rescore",
          "indices_boost",
          "stats",
          "derived");

  /**
   * @throws IllegalArgumentException when the request asks for something that columns do not have
   */
  static ColumnsRequest of(RestRequest rest, NamedWriteableRegistry writeables) throws IOException {
    ColumnFormat format = ColumnFormat.of(rest.param("format"), rest.getAllHeaderValues("Accept"));
    Map<String, Object> body = body(rest);
    List<ColumnSpec> columns = columns(rest.param("columns"), body.remove("columns"));
    for (String key : body.keySet()) {
      if (!BODY.contains(key)) {
        throw new IllegalArgumentException(
            "[" + key + "] has no place in columns; send it to _search");
      }
    }
    if (rest.hasParam("scroll")) {
      throw new IllegalArgumentException(
          "[scroll] has no place in columns; page with a point in time and search_after");
    }
    SearchRequest search = new SearchRequest();
    try (XContentParser parser = parser(rest, body)) {
      RestSearchAction.parseSearchRequest(
          search, rest, parser, writeables, size -> search.source().size(size));
    }
    SearchSourceBuilder source = search.source();
    source.fetchSource(false);
    source.storedField("_none_");
    source.ext(List.of(new ColumnsExt(columns)));
    if (columns.stream().anyMatch(each -> each.field().equals(ColumnSpec.SCORE))) {
      source.trackScores(true);
    }
    return new ColumnsRequest(search, columns, format);
  }

  private static Map<String, Object> body(RestRequest rest) {
    if (!rest.hasContentOrSourceParam()) {
      return new LinkedHashMap<>();
    }
    var content = rest.contentOrSourceParam();
    return XContentHelper.convertToMap(content.v2(), true, (MediaType) content.v1()).v2();
  }

  private static XContentParser parser(RestRequest rest, Map<String, Object> body)
      throws IOException {
    try (XContentBuilder builder = JsonXContent.contentBuilder().map(body)) {
      return XContentHelper.createParser(
          rest.getXContentRegistry(),
          LoggingDeprecationHandler.INSTANCE,
          BytesReference.bytes(builder),
          XContentType.JSON);
    }
  }

  /** The columns of the body, else those of the parameter. */
  static List<ColumnSpec> columns(@Nullable String parameter, @Nullable Object body) {
    if (body != null && !(body instanceof List<?>)) {
      throw new IllegalArgumentException(
          "[columns] is [" + body + "]; write a list: [\"@timestamp\", \"message\"]");
    }
    List<?> items =
        body instanceof List<?> list
            ? list
            : parameter == null ? List.of() : List.of(parameter.split(","));
    if (items.isEmpty()) {
      throw new IllegalArgumentException(
          "[columns] is missing; name the columns: \"columns\": [\"@timestamp\", \"message\"]");
    }
    if (items.size() > MOST) {
      throw new IllegalArgumentException(
          "[columns] names [" + items.size() + "] columns; ask for [" + MOST + "] or fewer");
    }
    List<ColumnSpec> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Object item : items) {
      ColumnSpec column = ColumnSpec.parse(item);
      if (!names.add(column.field())) {
        throw new IllegalArgumentException(
            "[columns] names [" + column.field() + "] twice; name it once");
      }
      columns.add(column);
    }
    return columns;
  }
}
