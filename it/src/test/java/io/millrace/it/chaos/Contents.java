package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All documents of one copy of an index, as a search finds them.
 *
 * @param byId documents that were given an id, with their values and stamps
 * @param appended values of documents without ids
 * @param doubled values that more than one document has, and what the search counted wrongly
 */
record Contents(Map<String, Found> byId, Set<Long> appended, List<String> doubled) {
  private static final int PAGE = 5000;

  /** A document. */
  record Found(long value, Stamp stamp) {}

  /**
   * Reads them.
   *
   * @param preference which copy: {@code _only_nodes:ID}
   */
  static Contents of(JsonHttp http, String index, String preference) {
    Contents contents = new Contents(new TreeMap<>(), new TreeSet<>(), new ArrayList<>());
    Set<Long> values = new TreeSet<>();
    long read = 0;
    String after = "";
    while (true) {
      JsonAnswer page =
          http.post(
                  "/" + index + "/_search?preference=" + preference,
                  "{\"size\":%d,\"sort\":[\"n\"],\"version\":true,\"seq_no_primary_term\":true,\"track_total_hits\":true%s}"
                      .formatted(PAGE, after))
              .ok();
      if (page.at("/_shards/failed").asInt() > 0) {
        throw new AssertionError(page);
      }
      JsonNode hits = page.at("/hits/hits");
      hits.forEach(hit -> contents.add(hit, values));
      read += hits.size();
      if (hits.size() < PAGE) {
        long total = page.at("/hits/total/value").asLong();
        if (total != read) { // two with one value at the border of two pages
          contents.doubled.add(total + " documents counted, " + read + " found in order");
        }
        return contents;
      }
      after = ",\"search_after\":" + hits.get(hits.size() - 1).get("sort");
    }
  }

  private void add(JsonNode hit, Set<Long> values) {
    long value = ValueDocument.value(hit.path("_source"));
    String id = hit.path("_id").asText();
    if (!values.add(value)) {
      doubled.add("value " + value + " under " + id + " and another id");
    }
    if (id.matches("k\\d+")) {
      byId.put(id, new Found(value, Stamp.of(hit)));
    } else {
      appended.add(value);
    }
  }
}
