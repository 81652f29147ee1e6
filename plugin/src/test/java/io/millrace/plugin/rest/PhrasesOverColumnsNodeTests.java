package io.millrace.plugin.rest;

import java.io.IOException;
import java.util.List;

/**
 * Phrases on {@code log_text} find the same messages, whether the source is stored whole or not.
 */
public class PhrasesOverColumnsNodeTests extends RestNodeTestCase {
  private static final String OBJECT =
      "{\"properties\":{\"message\":TYPE,\"o\":{\"properties\":{\"m\":TYPE}}}}";

  private void create(String index, String settings, String type) throws IOException {
    ok(
        "PUT",
        "/" + index,
        "{\"settings\":{\"index.number_of_shards\":1"
            + settings
            + "},\"mappings\":"
            + OBJECT.replace("TYPE", type)
            + "}");
  }

  private static String source(int i) {
    String message = "request " + i % 50 + " took " + i % 7 + " ms on host-" + i % 5;
    return switch (i % 9) {
      case 0 -> "{\"n\":" + i + ",\"message\":[\"" + message + "\",\"took 3 ms more\"]}";
      case 1 -> "{\"o\":{\"k\":\"x\",\"m\":\"" + message + "\"},\"message\":" + i + "}";
      case 2 -> "{\"o.m\":\"" + message + "\",\"level\":\"INFO\"}";
      case 3 -> "{\"message\":\"free " + "abcdefgh".charAt(i % 8) + " text \\\"took 3\\\" ms\"}";
      case 4 -> "{\"message\":null,\"level\":\"INFO\"}";
      default -> "{\"level\":\"INFO\",\"message\":\"" + message + "\",\"n\":" + i + "}";
    };
  }

  private Object hits(String index, String query) throws IOException {
    return ok(
            "POST",
            "/" + index + "/_search",
            "{\"size\":0,\"track_total_hits\":true,\"query\":" + query + "}")
        .at("hits.total.value");
  }

  public void testSameAnswersAsOverAWholeSource() throws IOException {
    create(
        "columns",
        ",\"index.codec\":\"zstandard\",\"index.millrace.columnar_source.enabled\":true",
        "{\"type\":\"log_text\"}");
    create("rows", "", "{\"type\":\"log_text\"}");
    create(
        "reference",
        "",
        "{\"type\":\"match_only_text\",\"analyzer\":\"millrace_log_words\","
            + "\"search_analyzer\":\"millrace_log_search\","
            + "\"search_quote_analyzer\":\"millrace_log_parts\"}");
    for (String index : List.of("columns", "rows", "reference")) {
      StringBuilder bulk = new StringBuilder();
      for (int i = 0; i < 400; i++) {
        bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
        bulk.append(source(i)).append('\n');
      }
      assertEquals(
          false, ok("POST", "/" + index + "/_bulk?refresh=true", bulk.toString()).at("errors"));
    }
    int found = 0;
    for (String field : List.of("message", "o.m")) {
      for (String kind : List.of("match_phrase", "match_phrase_prefix")) {
        for (String text :
            List.of(
                "took 3 ms",
                "ms on host",
                "request 17 took",
                "3 ms on host-1",
                "text took 3",
                "7 took",
                "took 3 m",
                "more",
                "host 4 x")) {
          String query = "{\"" + kind + "\":{\"" + field + "\":\"" + text + "\"}}";
          Object expected = hits("reference", query);
          assertEquals(query, expected, hits("rows", query));
          assertEquals(query, expected, hits("columns", query));
          found += expected.equals(0) ? 0 : 1;
        }
      }
    }
    assertTrue("phrases were found: " + found, found > 10);
  }
}
