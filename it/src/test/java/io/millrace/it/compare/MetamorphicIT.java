package io.millrace.it.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.compare.Answers;
import io.millrace.testkit.compare.RandomOperations;
import io.millrace.testkit.compare.RandomOperations.Operation;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same random operations on a stock node and on one with every feature on: every answer is
 * equal, errors word by word.
 *
 * <p>{@code -Dmillrace.metamorphic.operations=100000} runs longer; {@code
 * -Dmillrace.metamorphic.seed=N} another series in place of the first. A failure names seed, number
 * and request.
 */
class MetamorphicIT {
  @RegisterExtension static final SharedCluster STOCK = SharedCluster.of(Tree.STOCK, 1);
  @RegisterExtension static final SharedCluster OURS = SharedCluster.of(Tree.MILLRACE, 1);

  private static final int OPERATIONS = Integer.getInteger("millrace.metamorphic.operations", 1200);

  /** Every index-level setting of ours that leaves the answers as they are. */
  private static final String OPT_IN =
      "\"index.codec\":\"zstandard\",\"index.bulk_routing.enabled\":true,"
          + "\"index.mapping.keyword.truncate\":true";

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everyAnswerIsEqual(long fixed) {
    long seed = fixed == 1 ? Long.getLong("millrace.metamorphic.seed", 1) : fixed;
    int shards = fixed == 1 ? 1 : 3;
    JsonHttp stock = STOCK.http();
    JsonHttp ours = OURS.http();
    stock.put("/logs", RandomOperations.creation(shards, "")).ok();
    ours.put("/logs", RandomOperations.creation(shards, OPT_IN)).ok();

    RandomOperations operations = new RandomOperations(seed, "logs");
    // a dynamic mapping's error repeats the whole request's place; the server draws these
    Answers answers = new Answers().forget("index_uuid").forget("_shards");
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < OPERATIONS; i++) {
      Operation operation = operations.next();
      JsonAnswer expected = stock.send(operation.method(), operation.path(), operation.body());
      JsonAnswer actual = ours.send(operation.method(), operation.path(), operation.body());
      String where = "seed " + seed + ", operation " + i + ": " + operation;
      assertEquals(
          expected.status(), actual.status(), () -> where + "\n" + expected + "\n" + actual);
      assertEquals(
          answers.normal(expected.json()).toPrettyString(),
          answers.normal(actual.json()).toPrettyString(),
          where);
      statuses.merge(expected.status(), 1, Integer::sum);
    }
    // the series is worth something: writes, reads and refusals
    assertTrue(statuses.getOrDefault(200, 0) > OPERATIONS / 2, statuses.toString());
    assertTrue(statuses.getOrDefault(201, 0) > 10, statuses.toString());
    assertTrue(statuses.getOrDefault(409, 0) > 3, statuses.toString());
    assertTrue(statuses.getOrDefault(400, 0) > 3, statuses.toString());
    assertEquals(
        answers.normal(stock.get("/logs/_mapping").ok().json()),
        answers.normal(ours.get("/logs/_mapping").ok().json()));
  }

  @Test
  void scrollsAndPointsInTimeSeeEveryDocumentOnce() {
    Set<String> seen = null;
    for (JsonHttp http : new JsonHttp[] {STOCK.http(), OURS.http()}) {
      http.put("/logs", RandomOperations.creation(3, http == OURS.http() ? OPT_IN : "")).ok();
      RandomOperations operations = new RandomOperations(5, "logs");
      for (int i = 0; i < 300; i++) {
        Operation operation = operations.next();
        if (operation.path().endsWith("_bulk")) {
          http.send(operation.method(), operation.path(), operation.body()).ok();
        }
      }
      http.post("/logs/_refresh").ok();
      Set<String> scrolled = scroll(http);
      assertEquals(scrolled, pointInTime(http));
      assertEquals(http.get("/logs/_count").ok().at("/count").asInt(), scrolled.size());
      assertTrue(seen == null || seen.equals(scrolled));
      seen = scrolled;
    }
  }

  private static Set<String> scroll(JsonHttp http) {
    Set<String> ids = new HashSet<>();
    JsonAnswer page = http.post("/logs/_search?scroll=1m&size=37&sort=_doc").ok();
    while (page.at("/hits/hits").size() > 0) {
      page.at("/hits/hits").forEach(hit -> assertTrue(ids.add(hit.at("/_id").asText())));
      String id = page.at("/_scroll_id").asText();
      page = http.post("/_search/scroll", "{\"scroll\":\"1m\",\"scroll_id\":\"" + id + "\"}").ok();
    }
    return ids;
  }

  private static Set<String> pointInTime(JsonHttp http) {
    Set<String> ids = new HashSet<>();
    String pit = http.post("/logs/_search/point_in_time?keep_alive=1m").ok().at("/pit_id").asText();
    String after = "";
    while (true) {
      JsonAnswer page =
          http.post(
                  "/_search",
                  "{\"size\":41,\"pit\":{\"id\":\"%s\",\"keep_alive\":\"1m\"},\"sort\":[{\"_id\":\"asc\"}]%s}"
                      .formatted(pit, after))
              .ok();
      JsonNode hits = page.at("/hits/hits");
      if (hits.isEmpty()) {
        return ids;
      }
      hits.forEach(hit -> assertTrue(ids.add(hit.at("/_id").asText())));
      after = ",\"search_after\":" + hits.get(hits.size() - 1).get("sort");
    }
  }
}
