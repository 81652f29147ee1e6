package io.millrace.cli.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of indices page by page, each page one request for columns. Holds one page at a
 * time, and so does the cluster.
 *
 * <p>Indices are read one after the other, each from a point in time of its own: the rows are those
 * of its beginning, whatever is written meanwhile, and the order of a point in time ({@code
 * _shard_doc}) has no two equal rows within one index.
 */
final class Export {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** For how long the cluster keeps the point in time between two pages. */
  private static final String KEEP = "5m";

  private final ClusterClient client;
  private final ExportFormat format;
  private final List<String> columns;
  private final @Nullable String query;
  private final int page;

  /**
   * A page without rows, whose columns have no types: it is written only where there is no other.
   */
  private byte[] withoutRows = new byte[0];

  /**
   * @param query in the syntax of {@code query_string}; null for all rows
   * @param page rows of one request at first; fewer where they are more than the cluster gives
   */
  Export(
      ClusterClient client,
      ExportFormat format,
      List<String> columns,
      @Nullable String query,
      int page) {
    this.client = client;
    this.format = format;
    this.columns = columns;
    this.query = query;
    this.page = page;
  }

  /**
   * @param progress is told how many rows there are so far
   * @return how many rows there were
   * @throws ExpectedFailure when the cluster refuses, or an answer is not whole
   */
  long run(String expression, ExportFormat.Pages out, LongConsumer progress) throws IOException {
    long rows = 0;
    for (String index : indices(expression)) {
      rows = index(index, out, rows, progress);
    }
    if (rows == 0) {
      out.add(withoutRows);
    }
    out.end();
    return rows;
  }

  private List<String> indices(String expression) {
    JsonNode found =
        ok(
            client.call(
                "GET",
                "/_cat/indices/" + encoded(expression) + "?format=json&h=index&s=index",
                null));
    List<String> names = new ArrayList<>();
    found.forEach(each -> names.add(each.path("index").asText()));
    if (names.isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "no index is called " + expression, "GET /_cat/indices lists them.");
    }
    return names;
  }

  private long index(String index, ExportFormat.Pages out, long before, LongConsumer progress)
      throws IOException {
    String pit =
        ok(client.call(
                "POST", "/" + encoded(index) + "/_search/point_in_time?keep_alive=" + KEEP, null))
            .path("pit_id")
            .asText();
    try {
      long rows = before;
      String after = null;
      int size = page;
      while (true) {
        Answer answer = client.call("POST", path(), body(pit, after, size));
        if (size > 1 && isTooLarge(answer)) {
          size /= 2;
          continue;
        }
        if (answer.status() != 200) {
          throw refused(answer);
        }
        whole(answer);
        int got = Integer.parseInt(header(answer, "Millrace-Rows"));
        if (got > 0) {
          out.add(answer.body());
        } else {
          withoutRows = answer.body();
        }
        rows += got;
        progress.accept(rows);
        if (got < size) {
          return rows;
        }
        after = header(answer, "Millrace-Search-After");
      }
    } catch (IllegalStateException e) {
      throw new ExpectedFailure(
          ExitCode.FAILED,
          index + ": " + e.getMessage(),
          "Export such indices apart, or with --format ndjson.");
    } finally {
      client.call(
          "DELETE",
          "/_search/point_in_time",
          JSON.createObjectNode().put("pit_id", pit).toString());
    }
  }

  private String path() {
    return "/_millrace/columns?allow_partial_search_results=false&format="
        + format.name().toLowerCase(Locale.ROOT);
  }

  /** The body of one page's request. */
  private String body(String pit, @Nullable String after, int size) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("pit").put("id", pit).put("keep_alive", KEEP);
    body.put("size", size);
    body.put("track_total_hits", false);
    body.putArray("sort").add("_shard_doc");
    if (query != null) {
      body.putObject("query").putObject("query_string").put("query", query);
    }
    if (after != null) {
      try {
        body.set("search_after", JSON.readTree(after));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("[Millrace-Search-After] is [" + after + "], no JSON", e);
      }
    }
    ArrayNode names = body.putArray("columns");
    for (String column : columns) {
      if (column.endsWith("[]")) {
        names.addObject().put("field", column.substring(0, column.length() - 2)).put("list", true);
      } else {
        names.add(column);
      }
    }
    return body.toString();
  }

  /** Whether a page of fewer rows would be answered: one limit is in bytes, the other in rows. */
  private static boolean isTooLarge(Answer answer) {
    if (answer.status() != 400) {
      return false;
    }
    String error = new String(answer.body(), StandardCharsets.UTF_8);
    return error.contains("millrace.search.columns.max_bytes")
        || error.contains("index.max_result_window");
  }

  private static void whole(Answer answer) {
    if (!"0".equals(answer.header("Millrace-Failed-Shards"))
        || !"false".equals(answer.header("Millrace-Timed-Out"))) {
      throw new ExpectedFailure(
          ExitCode.FAILED,
          "shards failed or timed out, so rows would be missing",
          "Look at GET /_cat/shards, then run the export again.");
    }
  }

  private static String header(Answer answer, String name) {
    String value = answer.header(name);
    if (value == null) {
      throw new ExpectedFailure(
          ExitCode.FAILED,
          "the answer has no header " + name,
          "Does a proxy in between drop headers? Ask a node directly with --url.");
    }
    return value;
  }

  private static JsonNode ok(Answer answer) {
    JsonNode json = answer.json();
    if (answer.status() != 200 || json == null) {
      throw refused(answer);
    }
    return json;
  }

  private static ExpectedFailure refused(Answer answer) {
    return new ExpectedFailure(
        ExitCode.FAILED,
        "HTTP " + answer.status() + ": " + answer.reason(),
        answer.status() == 400 && answer.reason().contains("no handler found")
            ? "The cluster has no Millrace with search.columns."
            : null);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%2C", ",").replace("+", "%20");
  }
}
