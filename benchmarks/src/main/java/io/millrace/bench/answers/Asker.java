package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.term.BenchFailure;
import java.util.List;

/** Sends the queries of a mix and keeps their answers. */
public final class Asker {
  private final NodeClient node;
  private final String path;
  private final Pages pages;

  /** Asks one index; the request cache is off, else a repeated query costs nothing. */
  public Asker(NodeClient node, String index) {
    this.node = node;
    this.path = "/" + index + "/_search?request_cache=false";
    this.pages = new Pages(node, index);
  }

  /** The mean number of matches of searches that count all of them; 0 for pages of a scroll. */
  public double matches(List<Query> mix) {
    return mix.stream()
        .mapToLong(query -> ask(query).json().path("hits").path("total").path("value").asLong())
        .average()
        .orElse(0);
  }

  /** The answers to the first {@code count} queries. */
  public AnswerSheet answers(List<Query> mix, int count, boolean scores) {
    AnswerSheet sheet = AnswerSheet.empty();
    for (Query query : mix.subList(0, Math.min(count, mix.size()))) {
      NodeClient.Answer answer = ask(query);
      JsonNode json = answer.json();
      if (answer.status() != 200) {
        String refusal = answer.status() + " " + json.path("error").path("type").asText();
        sheet.add(refusal, refusal);
      } else {
        sheet.add(
            ComparableAnswer.canonical(json, scores, true),
            ComparableAnswer.canonical(json, scores, false));
      }
    }
    return sheet;
  }

  /** Sends a query and returns the seconds until the whole answer was read. */
  public double timed(Query query) {
    long start = System.nanoTime();
    NodeClient.Answer answer = ask(query);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (answer.status() != 200) {
      throw new BenchFailure("a search of kind " + query.kind() + " answered " + answer.status());
    }
    return seconds;
  }

  private NodeClient.Answer ask(Query query) {
    if (query.kind().equals(Pages.SCROLL)) {
      return pages.scroll(query);
    }
    if (query.kind().equals(Pages.POINT_IN_TIME)) {
      return pages.pointInTime(query);
    }
    return node.send("POST", path, query.body(), "application/json");
  }
}
