package io.millrace.it.skywalking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A real OAP stores the same segments into a node of stock and into one of Millrace's distribution:
 * each is there once, and OAP answers its UI the same from both. Then its segments pass the span
 * filter. Runs with {@code -Dmillrace.skywalking=true}.
 */
@EnabledIfSystemProperty(named = "millrace.skywalking", matches = "true")
class SkyWalkingIT {
  private static final int TRACES = 600;
  private static final int LOGS = 200;
  private static final Duration SETTLED = Duration.ofMinutes(2);

  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private static final long FIRST = END.minus(40, ChronoUnit.MINUTES).toEpochMilli();
  private static final long SECOND = END.minus(20, ChronoUnit.MINUTES).toEpochMilli();
  private static final long WINDOW = Duration.ofMinutes(15).toMillis();
  private static final UiQueries QUERIES = new UiQueries(FIRST, FIRST + WINDOW);

  private static final List<TraceStore> STORES = new ArrayList<>();

  @BeforeAll
  static void report() throws IOException {
    for (Tree tree : Tree.values()) {
      TraceStore store = TraceStore.start(Cluster.of(tree, 1), TraceStore.THROUGH_PIPELINE);
      STORES.add(store);
      store.report(TRACES, FIRST, FIRST + WINDOW, LOGS);
    }
  }

  @AfterAll
  static void close() throws IOException {
    for (TraceStore store : STORES) {
      store.close();
    }
  }

  private static TraceStore stock() {
    return STORES.get(0);
  }

  private static TraceStore millrace() {
    return STORES.get(1);
  }

  @Test
  void everySegmentIsThereOnceAndTheSame() {
    Map<String, JsonNode> expected = segments(stock(), FIRST);
    assertEquals(4 * TRACES, expected.size());
    assertEquals(expected, segments(millrace(), FIRST));
  }

  @Test
  void theIndicesHaveTheProfileOfTraces() {
    JsonNode settings = onlySettings("sw_segment-*");
    assertEquals("traces", settings.path("index.millrace.profile").asText());
    assertEquals("zstandard", settings.path("index.codec").asText());
    // what OAP's template says comes before the profile
    assertEquals("1", settings.path("index.number_of_shards").asText());
    assertEquals(
        onlySettings(stock(), "sw_segment-*").path("index.refresh_interval"),
        settings.path("index.refresh_interval"));
  }

  @Test
  void theUiIsAnsweredAsOnStock() {
    QUERIES.all().forEach(SkyWalkingIT::sameAnswer);
    assertEquals(TRACES, QUERIES.callsIn(millrace().oap(), "shop-gateway"));
    for (String trace : traceIds(3)) {
      sameAnswer("trace " + trace, UiQueries.trace(trace));
    }
  }

  @Test
  void theSpanFilterTakesOutWhatItIsToldTo() throws IOException {
    millrace()
        .pipeline(
            """
            [{"sw_span_filter": {"components": [56], "layers": ["database"], "names": ["Druid/*"],
              "below": "100ms", "keep_one_of": 20}}]\
            """);
    for (TraceStore store : STORES) {
      store.report(TRACES, SECOND, SECOND + WINDOW, 0);
    }
    Map<String, JsonNode> whole = segments(stock(), SECOND);
    Map<String, JsonNode> filtered = segments(millrace(), SECOND);
    assertEquals(4 * TRACES, whole.size());
    assertEquals(whole.keySet(), filtered.keySet());
    Set<String> traces = new TreeSet<>();
    whole.forEach((id, segment) -> {
      assertEquals(withoutSpans(segment), withoutSpans(filtered.get(id)));
      traces.add(segment.path("trace_id").asText());
    });
    assertEquals(TRACES, traces.size());
    int sampled = 0;
    for (String trace : traces) {
      JsonNode before = UiQueries.ask(stock().oap(), UiQueries.trace(trace));
      JsonNode after = UiQueries.ask(millrace().oap(), UiQueries.trace(trace));
      if (Math.floorMod(trace.hashCode(), 20) == 0) {
        assertEquals(Sorted.of(before), Sorted.of(after));
        sampled++;
      } else {
        FilteredTrace.check(before.at("/queryTrace/spans"), after.at("/queryTrace/spans"));
      }
    }
    assertTrue(sampled > 0);
    assertEquals(0, counted("segments_unread"));
    assertTrue(counted("spans_dropped") > 4 * TRACES);
  }

  private static long counted(String metric) {
    return millrace()
        .node()
        .get("/_millrace/stats?feature=pipelines.span-filter")
        .ok()
        .at("/features/pipelines.span-filter/metrics/" + metric + "/value")
        .asLong();
  }

  private static JsonNode withoutSpans(JsonNode segment) {
    ObjectNode rest = segment.deepCopy();
    assertTrue(rest.remove("data_binary").isTextual());
    return rest;
  }

  /** Metrics and names are written some seconds after the segments they are made of. */
  private static void sameAnswer(String name, String query) {
    JsonNode[] answers = new JsonNode[2];
    try {
      Await.until(
          "the same answer to: " + name,
          SETTLED,
          () -> {
            for (int i = 0; i < answers.length; i++) {
              answers[i] = sorted(UiQueries.ask(STORES.get(i).oap(), query));
            }
            return UiQueries.says(answers[0]) && answers[0].equals(answers[1]);
          });
    } catch (AssertionError e) {
      throw new AssertionError(
          name + " " + query + "\nstock:    " + answers[0] + "\nmillrace: " + answers[1], e);
    }
  }

  /** Lists in one order, but those of which the order is the answer. */
  private static JsonNode sorted(JsonNode data) {
    return data.has("queryBasicTraces") || data.has("queryLogs") ? data : Sorted.of(data);
  }

  private static List<String> traceIds(int count) {
    JsonNode data =
        UiQueries.ask(
            stock().oap(),
            QUERIES.traces(
                "BY_START_TIME",
                1,
                "\"traceState\":\"ERROR\",\"serviceId\":\""
                    + UiQueries.service("shop-orders")
                    + "\","));
    List<String> ids = new ArrayList<>();
    for (JsonNode trace : data.at("/queryBasicTraces/traces")) {
      ids.add(trace.at("/traceIds/0").asText());
    }
    return ids.subList(0, count);
  }

  /** Every segment of a window of time by its id. */
  private static Map<String, JsonNode> segments(TraceStore store, long from) {
    store.node().post("/sw_segment-*/_refresh").ok();
    Map<String, JsonNode> found = new TreeMap<>();
    Set<String> ids = new HashSet<>();
    String window = "start_time:%5B" + from + "%20TO%20" + (from + WINDOW) + "%5D";
    JsonNode hits =
        store.node().get("/sw_segment-*/_search?size=10000&q=" + window).ok().at("/hits/hits");
    for (JsonNode hit : hits) {
      found.put(hit.path("_id").asText(), hit.path("_source"));
      assertTrue(ids.add(hit.at("/_source/segment_id").asText()), "twice: " + hit);
    }
    return found;
  }

  private static JsonNode onlySettings(String index) {
    return onlySettings(millrace(), index);
  }

  private static JsonNode onlySettings(TraceStore store, String index) {
    return store
        .node()
        .get("/" + index + "/_settings?flat_settings=true")
        .ok()
        .json()
        .iterator()
        .next()
        .path("settings");
  }
}
