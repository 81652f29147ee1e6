package io.millrace.bench.answers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.scenario.Side;
import io.millrace.bench.workload.Document;
import io.millrace.bench.workload.Workload;
import io.millrace.bench.workload.WorkloadOptions;
import io.millrace.bench.workload.Workloads;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueryMixTest {
  private static List<Query> mix(Workload workload, boolean scores, int count) {
    Iterator<Document> documents = workload.documents().open(new WorkloadOptions(null, 7));
    List<JsonNode> samples = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      samples.add(BenchJson.parse(documents.next().source()));
    }
    return QueryMix.of(workload.mapping(), workload.order(), samples, scores, count, 7);
  }

  @Test
  void theDefaultMixHoldsAThousandDifferentQueries() {
    List<Query> mix = mix(Workloads.logs(), true, 1100);
    Set<String> bodies = new HashSet<>();
    Set<String> kinds = new HashSet<>();
    for (Query query : mix) {
      assertTrue(bodies.add(new String(query.body(), StandardCharsets.UTF_8)));
      kinds.add(query.kind());
    }
    assertTrue(mix.size() >= 1000, "queries: " + mix.size());
    assertTrue(kinds.size() >= 24, kinds.toString());
  }

  @Test
  void everySearchEndsInAUniqueOrder() {
    for (Query query : mix(Workloads.logs(), true, 300)) {
      JsonNode body = BenchJson.parse(query.body());
      if (body.path("size").asInt() > 0) {
        JsonNode last = body.path("sort").path(body.path("sort").size() - 1);
        assertTrue(last.has("trace_id"), body::toString);
      }
    }
  }

  @Test
  void withoutScoresNothingIsSortedByThem() {
    for (Query query : mix(Workloads.logs(), false, 300)) {
      assertFalse(new String(query.body(), StandardCharsets.UTF_8).contains("_score"));
    }
  }

  @Test
  void otherWorkloadsGiveQueriesToo() {
    assertTrue(mix(Workloads.wide(), true, 200).size() > 100);
    assertFalse(mix(Workloads.storm(), true, 200).isEmpty());
  }

  @Test
  void answersLoseOnlyWhatMayDiffer() {
    String left =
        "{\"took\":5,\"hits\":{\"total\":{\"value\":1},\"max_score\":2.5,\"hits\":[{\"_index\":\"a\","
            + "\"_id\":\"x\",\"_score\":2.5,\"_source\":{\"a\":1.10},\"sort\":[1]}]}}";
    JsonNode one = BenchJson.parse(left.getBytes(StandardCharsets.UTF_8));
    JsonNode two =
        BenchJson.parse(
            left.replace("\"took\":5", "\"took\":9")
                .replace("\"x\"", "\"y\"")
                .replace("2.5", "3.5")
                .getBytes(StandardCharsets.UTF_8));
    assertEquals(
        ComparableAnswer.canonical(one, false, true), ComparableAnswer.canonical(two, false, true));
    assertFalse(
        ComparableAnswer.canonical(one, true, true)
            .equals(ComparableAnswer.canonical(two, true, true)));
    assertTrue(ComparableAnswer.canonical(one, false, true).contains("1.10"), "digits are kept");
    assertFalse(ComparableAnswer.canonical(one, false, false).contains("1.10"));
  }

  @Test
  void aFailedShardIsADifference() {
    JsonNode fine =
        BenchJson.parse("{\"_shards\":{\"failed\":0}}".getBytes(StandardCharsets.UTF_8));
    JsonNode bad = BenchJson.parse("{\"_shards\":{\"failed\":1}}".getBytes(StandardCharsets.UTF_8));
    assertFalse(
        ComparableAnswer.canonical(fine, false, true)
            .equals(ComparableAnswer.canonical(bad, false, true)));
  }

  @Test
  void textIsComparedWithinAGroupOnly() {
    List<Query> mix =
        List.of(new Query("match", true, new byte[0]), new Query("term", false, new byte[0]));
    AnswerSheet left = AnswerSheet.empty();
    left.add("1", "a");
    left.add("2", "b");
    AnswerSheet right = AnswerSheet.empty();
    right.add("other", "other");
    right.add("2", "b");
    Side one = Side.stock("one");
    Side two = Side.stock("two");
    Comparison same = Comparison.of(mix, one, left, two, right);
    assertEquals(2, same.compared());
    assertEquals(1, same.different());
    assertEquals(1, same.excerpts().size());
    Comparison apart = Comparison.of(mix, one.textGroup("log text"), left, two, right);
    assertEquals(1, apart.compared());
    assertEquals(0, apart.different());
    assertEquals(3, same.plus(apart).compared());
  }

  @Test
  void fieldsUnderOtherNamesAreAskedUnderThem() {
    String body =
        "{\"query\":{\"bool\":{\"filter\":[{\"term\":{\"host\":\"host\"}},{\"match\":{\"message\":\"host\"}}]}},"
            + "\"sort\":[{\"host\":\"asc\"}],"
            + "\"aggs\":{\"a\":{\"terms\":{\"field\":\"host\",\"size\":3}}}}";
    Query query = new Query("term", false, body.getBytes(StandardCharsets.UTF_8));
    assertEquals(
        body.replace("{\"host\":", "{\"host.keyword\":")
            .replace("\"field\":\"host\"", "\"field\":\"host.keyword\""),
        new String(query.named(Map.of("host", "host.keyword")).body(), StandardCharsets.UTF_8));
    assertSame(query, query.named(Map.of()));
  }
}
