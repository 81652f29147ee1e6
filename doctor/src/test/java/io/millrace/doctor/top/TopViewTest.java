package io.millrace.doctor.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.doctor.snapshot.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopViewTest {
  private static final JsonNode NONE = MissingNode.getInstance();

  private static JsonNode tree(String json) {
    try {
      return Json.MAPPER.readTree(json);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static TopSample sample(int second, JsonNode nodes, JsonNode indices, String threads) {
    return new TopSample(
        Instant.EPOCH,
        second * 1_000_000_000L,
        tree("{\"status\":\"green\",\"number_of_nodes\":1,\"active_shards\":2}"),
        nodes,
        indices,
        NONE,
        tree(
            "{\"nodes\":{\"x\":{\"name\":\"n\",\"tasks\":{\"x:1\":{\"action\":\"indices:data/read/search\",\"description\":\"a \\u001blong\\nsearch\",\"running_time_in_nanos\":61000000000},\"x:2\":{\"action\":\"child\",\"parent_task_id\":\"x:1\"}}}}}"),
        threads,
        NONE,
        Map.of("shards", "HTTP 403 no permissions"));
  }

  private static JsonNode nodes(long written, long rejected) {
    return tree(
        "{\"nodes\":{\"x\":{\"name\":\"n\",\"os\":{\"cpu\":{\"percent\":37}},\"thread_pool\":{\"write\":{\"queue\":5,\"rejected\":"
            + rejected
            + "}},\"indices\":{\"indexing\":{\"index_total\":"
            + written
            + "}}}}}");
  }

  private static JsonNode indices(long a, long b) {
    return tree(
        "{\"indices\":{\"a\":{\"primaries\":{\"indexing\":{\"index_total\":"
            + a
            + "}}},\"b\":{\"primaries\":{\"indexing\":{\"index_total\":"
            + b
            + "}},\"total\":{\"store\":{\"size_in_bytes\":1048576}}}}}");
  }

  @Test
  void ratesAreOfTheTimeBetweenTheSamples() {
    String threads =
        "::: {n}{id}{x}\n   12.5% (62ms out of 500ms) cpu usage by thread 'opensearch[n][write][T#1]'\n"
            + "::: {m}{id}\n 99.0% [cpu=98.4%, other=1.6%] (500ms out of 500ms) cpu usage by thread 'elasticsearch[m][search][T#2]'\n";
    TopView view =
        new TopView(
            sample(0, nodes(100, 1), indices(0, 500), ""),
            sample(2, nodes(300, 5), indices(40, 500), threads),
            TopOrder.WRITES);
    assertEquals(List.of("a", "b"), view.busiest());
    String page = String.join("\n", view.lines("c", 120, 50));
    assertTrue(page.contains("green"), page);
    assertTrue(page.matches("(?s).*\nn +37 .* 100 .* 5 +- +5 +2\n.*"), page);
    assertTrue(page.matches("(?s).*\na +20 .*"), page);
    assertTrue(page.contains("not to be seen: HTTP 403 no permissions"), page);
    assertTrue(page.matches("(?s).*a \\?long search +61 s +n +data/read/search.*"), page);
    assertTrue(page.indexOf("[search][T#2]") < page.indexOf("[write][T#1]"), page);
    assertTrue(
        new TopView(sample(0, NONE, NONE, ""), sample(2, NONE, indices(1, 1), ""), TopOrder.DISK)
            .busiest()
            .getFirst()
            .equals("b"));
  }

  @Test
  void anythingThatAServerMaySayIsBorne() {
    TopSample odd = sample(1, tree("{\"nodes\":{\"x\":[]}}"), tree("{\"indices\":7}"), "<html>");
    assertTrue(new TopView(odd, odd, TopOrder.FRESHNESS).lines("c", 10, 5).size() > 5);
  }

  @Test
  void manyIndicesTakeNoMoreLinesThanThereAre() {
    ObjectNode many = Json.MAPPER.createObjectNode();
    for (int i = 0; i < 10_000; i++) {
      many.withObject("/indices").putObject("an-index-with-quite-a-long-name-" + i);
    }
    List<String> lines =
        new TopView(sample(0, NONE, many, ""), sample(1, NONE, many, ""), TopOrder.WRITES)
            .lines("c", 80, 40);
    assertTrue(lines.size() <= 40, "lines " + lines.size());
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), lines::toString);
  }
}
