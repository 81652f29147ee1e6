package io.millrace.it.guard;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonHttp;
import java.util.HashMap;
import java.util.Map;

/**
 * Which bulks a node acknowledged, with how many documents. Every document carries its bulk's
 * number, so that one of a bulk whose answer was lost does not stand in for one that was promised.
 */
public final class Acknowledgements {
  /** The field with the bulk's number. */
  static final String FIELD = "bulk";

  private static final int PAGE = 1000;

  private final String index;
  private final Map<Integer, Integer> documents = new HashMap<>();
  private int numbers;

  /**
   * @param index where the bulks go
   */
  public Acknowledgements(String index) {
    this.index = index;
  }

  /** The index that the bulks go to. */
  String index() {
    return index;
  }

  /** A number for the next bulk. */
  synchronized int next() {
    return numbers++;
  }

  /** The node said that so many documents of this bulk are kept. */
  synchronized void add(int bulk, int count) {
    documents.merge(bulk, count, Integer::sum);
  }

  /** All acknowledged documents. */
  public synchronized long count() {
    return documents.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** How many of the acknowledged documents a search does not find. */
  public synchronized long lost(JsonHttp http) {
    if (documents.isEmpty()) {
      return 0;
    }
    http.post("/" + index + "/_refresh").ok();
    long lost = 0;
    for (int from = 0; from < numbers; from += PAGE) {
      Map<Integer, Integer> found = new HashMap<>();
      JsonNode buckets =
          http.post(
                  "/" + index + "/_search",
                  "{\"size\":0,\"query\":{\"range\":{\"bulk\":{\"gte\":%d,\"lt\":%d}}},\"aggs\":"
                          .formatted(from, from + PAGE)
                      + "{\"bulks\":{\"terms\":{\"field\":\"bulk\",\"size\":1000}}}}")
              .ok()
              .at("/aggregations/bulks/buckets");
      for (JsonNode bucket : buckets) {
        found.put(bucket.get("key").asInt(), bucket.get("doc_count").asInt());
      }
      for (int bulk = from; bulk < Math.min(numbers, from + PAGE); bulk++) {
        lost += Math.max(0, documents.getOrDefault(bulk, 0) - found.getOrDefault(bulk, 0));
      }
    }
    return lost;
  }
}
