package io.millrace.bench.answers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ways to ask for 10,000 rows of a window of time. */
final class RowSearches {
  /**
   * @param path where it is sent to
   */
  record Way(String name, String path, PruningSearches.Body body) {}

  private RowSearches() {}

  static List<Way> of(String index, List<String> fields) {
    String search = "/" + index + "/_search?request_cache=false&filter_path=hits.hits.";
    String columns = "/" + index + "/_millrace/columns";
    // scores beside a sort read whole sources, as every includes did before
    Map<String, Object> whole =
        Map.of("_source", fields, "sort", List.of("_doc"), "track_scores", true);
    Map<String, Object> message = Map.of("_source", List.of("message"));
    List<String> trimmed = new ArrayList<>();
    fields.forEach(field -> trimmed.add("hits.hits._source." + field));
    String byPath = "/" + index + "/_search?request_cache=false&filter_path=";
    return List.of(
        new Way(
            "_source includes",
            "/" + index + "/_search?request_cache=false",
            page(included(fields))),
        new Way("includes, whole read", search + "_source", page(whole)),
        new Way("includes", search + "_source", page(included(fields))),
        new Way("filter_path", byPath + String.join(",", trimmed), page(Map.of())),
        new Way(
            "docvalue_fields",
            search + "fields",
            page(Map.of("_source", false, "docvalue_fields", fields))),
        new Way("columns", columns, page(Map.of("columns", fields))),
        new Way("columns, Arrow", columns + "?format=arrow", page(Map.of("columns", fields))),
        new Way("columns, one field", columns, page(Map.of("columns", fields.subList(0, 1)))),
        new Way("includes, message", search + "_source", page(message)),
        new Way("columns, message", columns, page(Map.of("columns", List.of("message")))));
  }

  private static Map<String, Object> included(List<String> fields) {
    return Map.of("_source", fields);
  }

  private static PruningSearches.Body page(Map<String, Object> what) {
    return (from, to) -> {
      Map<String, Object> body = new HashMap<>(what);
      body.put("size", 10_000);
      body.put("query", PruningSearches.range(from, to));
      return body;
    };
  }
}
