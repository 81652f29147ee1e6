package io.millrace.it.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What an index holds of the records that were produced.
 *
 * @param lost numbers of records that it lacks, the first hundred of them
 * @param doubled documents of records that it has already
 * @param changed documents whose source is not what was produced, the first hundred of them
 */
record ReadBack(int found, List<Integer> lost, int doubled, List<String> changed) {
  private static final int PAGE = 5000;
  private static final int NAMED = 100;

  /** Reads every document of the index. */
  static ReadBack of(JsonHttp http, String index, Moments produced) throws IOException {
    BitSet seen = new BitSet(produced.size());
    int doubled = 0;
    List<String> changed = new ArrayList<>();
    String after = "";
    while (true) {
      JsonAnswer page =
          http.post(
                  "/" + index + "/_search",
                  "{\"size\":"
                      + PAGE
                      + ",\"sort\":[\"n\"]"
                      + after
                      + ",\"track_total_hits\":false}")
              .ok();
      assertEquals(0, page.at("/_shards/failed").asInt(), page::toString);
      JsonNode hits = page.at("/hits/hits");
      if (hits.isEmpty()) {
        break;
      }
      for (JsonNode hit : hits) {
        int n = hit.at("/sort/0").asInt();
        doubled += seen.get(n) ? 1 : 0;
        seen.set(n);
        if (!asProduced(hit, n, produced) && changed.size() < NAMED) {
          changed.add(hit.toString());
        }
      }
      after = ",\"search_after\":" + hits.get(hits.size() - 1).get("sort");
    }
    return new ReadBack(seen.cardinality(), lost(seen, produced.size()), doubled, changed);
  }

  private static boolean asProduced(JsonNode hit, int n, Moments produced) throws IOException {
    if (n >= produced.size()) {
      return false;
    }
    LogLine line = LogLine.of(n, produced.get(n));
    return hit.path("_id").asText().equals(line.id())
        && hit.path("_source").equals(JsonHttp.MAPPER.readTree(line.source()));
  }

  private static List<Integer> lost(BitSet seen, int records) {
    List<Integer> lost = new ArrayList<>();
    for (int n = seen.nextClearBit(0); n < records && lost.size() < NAMED; ) {
      lost.add(n);
      n = seen.nextClearBit(n + 1);
    }
    return lost;
  }
}
