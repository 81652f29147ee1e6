package io.millrace.it.twins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.testkit.compare.Answers;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends a request to both indices and says how the answers differ. */
final class Twins {
  static final String OURS = "index-ours";
  static final String TWIN = "index-twin";

  private static final Pattern BY_SCORE =
      Pattern.compile("\"sort\":\\[\\{\"_score\":\"(asc|desc)\"},");

  private final JsonHttp http;
  private final Answers whole = answers();
  private final Answers unscored =
      answers().forget("_score").forget("max_score").forget("score").forget("bg_count");

  /** What follows the names of both indices: which copy of them is asked. */
  String suffix = "";

  /**
   * Whether scores compare: not once documents were deleted. They count in statistics until a merge
   * drops them, and which of them a merge keeps for recovery is up to each index.
   */
  boolean scores = true;

  /** Answers by status, of the twin. */
  final TreeMap<Integer, Integer> statuses = new TreeMap<>();

  /** Searches that found something. */
  int found;

  Twins(JsonHttp http) {
    this.http = http;
  }

  private static Answers answers() {
    // terminated_early: stock's shortcut for counts of one term at size 0 says so, others do not
    return new Answers()
        .forget("index_uuid")
        .forget("_seq_no")
        .forget("_primary_term")
        .forget("terminated_early");
  }

  /** How they differ, or nothing. */
  @Nullable String ask(TwinRequest request) {
    JsonAnswer twin = send(request, TWIN);
    JsonAnswer ours = send(request, OURS);
    statuses.merge(twin.status(), 1, Integer::sum);
    String expected = normal(twin, TWIN, request);
    String actual = normal(ours, OURS, request);
    if (expected.contains("\"hits\" : [ {")) {
      found++;
    }
    if (twin.status() == ours.status() && expected.equals(actual)) {
      return null;
    }
    return request
        + "\n  twin "
        + twin.status()
        + "\n  ours "
        + ours.status()
        + "\n"
        + diff(expected, actual);
  }

  /** Fields of all names take in one with positions, which has frequencies in the twin alone. */
  private boolean scored(TwinRequest request) {
    String body = request.body();
    return scores
        && !request.path().contains("_explain")
        && (body == null || !body.contains("\"*\"") && !body.contains("\\*:"));
  }

  JsonAnswer send(TwinRequest request, String index) {
    String body = request.body();
    if (body != null && !scored(request)) {
      body = BY_SCORE.matcher(body).replaceAll("\"sort\":[");
    }
    return http.send(
        request.method(),
        request.path().replace("#", index + suffix),
        body == null ? null : body.replace("\"#\"", "\"" + index + suffix + "\""));
  }

  private String normal(JsonAnswer answer, String index, TwinRequest request) {
    String text =
        answer
            .body()
            .replace(index, "#")
            .replaceAll("#/[\\w-]{20,24}", "#")
            // which document is met first is not promised
            .replaceAll("failed to collapse \\d+", "failed to collapse #")
            .replaceAll("Unrecognized token '[^']*'", "Unrecognized token")
            .replaceAll("Unexpected character \\(.{1,80}?\\): ", "Unexpected character: ")
            .replaceAll("FieldType@[0-9a-f]+", "FieldType")
            .replaceAll("Lambda/0x[0-9a-f]+@[0-9a-f]+", "Lambda");
    JsonNode json = new JsonAnswer(answer.request(), answer.status(), text).json();
    boolean scored = scored(request) || answer.status() != 200;
    settle(json, scored);
    JsonNode normal = (scored ? whole : unscored).normal(json);
    if (request.body() != null && request.body().contains("\"rescore\"")) {
      order(normal.path("hits").path("hits"), "_score", "_id");
    }
    return normal.toPrettyString();
  }

  /** Leaves of an explanation the score, where scores compare, and of a shard nothing. */
  private static void settle(JsonNode node, boolean scored) {
    if (node instanceof ObjectNode object) {
      for (String name : List.of("_explanation", "explanation")) {
        JsonNode explanation = object.get(name);
        if (explanation != null) {
          object.put(name, scored ? explanation.path("value").asText() : "");
        }
      }
      if (object.path("buckets").path(0).has("bg_count")) {
        order(object.path("buckets"), "score", "key");
        if (!scored) {
          object.remove("buckets"); // which of them are significant is up to statistics
        }
      }
      object.remove("_shard");
      object.remove("_node");
      object.forEach(child -> settle(child, scored));
    } else if (node instanceof ArrayNode array) {
      array.forEach(child -> settle(child, scored));
    }
  }

  /** Hits or buckets with equal scores by what names them. */
  private static void order(JsonNode hits, String score, String name) {
    if (hits instanceof ArrayNode array) {
      List<JsonNode> sorted = new ArrayList<>();
      array.forEach(sorted::add);
      sorted.sort(
          Comparator.comparing((JsonNode hit) -> -hit.path(score).asDouble())
              .thenComparing(hit -> hit.path(name).asText()));
      array.removeAll();
      array.addAll(sorted);
    }
  }

  private static String diff(String expected, String actual) {
    String[] a = expected.split("\n");
    String[] b = actual.split("\n");
    int i = 0;
    while (i < Math.min(a.length, b.length) && a[i].equals(b[i])) {
      i++;
    }
    StringBuilder out = new StringBuilder("  first difference at line " + i + "\n");
    for (int j = Math.max(0, i - 3); j < i + 5; j++) {
      out.append("    twin ").append(j < a.length ? cut(a[j]) : "-").append('\n');
      out.append("    ours ").append(j < b.length ? cut(b[j]) : "-").append('\n');
    }
    return out.toString();
  }

  private static String cut(String line) {
    return line.length() > 900 ? line.substring(0, 900) + "..." : line;
  }
}
