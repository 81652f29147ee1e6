package io.millrace.it.hostile;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.testkit.http.JsonHttp;
import java.util.Locale;
import java.util.Random;

/** The documents that hostile requests ask: logs as any other, with a unique id in each. */
final class HostileLogs {
  private static final int BULK = 2_000;

  private static final String MAPPING =
      "{\"settings\":{\"number_of_replicas\":0},\"mappings\":{\"properties\":{"
          + "\"@timestamp\":{\"type\":\"date\"},\"trace_id\":{\"type\":\"keyword\"},"
          + "\"host\":{\"type\":\"keyword\"},\"service\":{\"type\":\"keyword\"},"
          + "\"level\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"}}}}";

  /** Fields that the queries and aggregations of modules ask. */
  private static final String OF_MODULES =
      "{\"properties\":{\"relation\":{\"type\":\"join\",\"relations\":{\"file\":\"line\"}},"
          + "\"alert\":{\"type\":\"percolator\"},\"weight\":{\"type\":\"rank_feature\"},"
          + "\"where\":{\"type\":\"geo_point\"},\"parts\":{\"type\":\"nested\"}}}";

  /** A file has so many lines, less itself; one document in so many has an alert. */
  private static final int LINES = 10;

  private HostileLogs() {}

  /**
   * Makes the index as an operator of a stock node does: with its guesses, ids would be analyzed
   * text, of which no aggregation may ask.
   */
  static void mapForStock(JsonHttp http) {
    http.put("/" + Choices.INDEX, MAPPING).ok();
  }

  /** Writes so many, with their numbers as ids, and refreshes. */
  static void load(JsonHttp http, int documents) {
    load(http, documents, false);
  }

  /** As {@link #load}, and each has the fields that the queries of modules ask. */
  static void loadForModules(JsonHttp http, int documents) {
    if (http.get("/" + Choices.INDEX).status() == 404) {
      http.put("/" + Choices.INDEX, "{}").ok();
    }
    http.put("/" + Choices.INDEX + "/_mapping", OF_MODULES).ok();
    load(http, documents, true);
  }

  private static void load(JsonHttp http, int documents, boolean modules) {
    Random random = new Random(7);
    for (int from = 0; from < documents; from += BULK) {
      StringBuilder lines = new StringBuilder();
      for (int i = from; i < Math.min(from + BULK, documents); i++) {
        lines.append("{\"create\":{\"_id\":\"").append(i).append('"');
        if (modules) {
          lines.append(",\"routing\":\"").append(file(i)).append('"');
        }
        lines.append("}}\n{").append(log(i, random)).append(modules ? ofModules(i) : "");
        lines.append("}\n");
      }
      assertFalse(
          http.post("/" + Choices.INDEX + "/_bulk", lines.toString())
              .ok()
              .at("/errors")
              .asBoolean());
    }
    http.post("/" + Choices.INDEX + "/_refresh").ok();
  }

  private static int file(int number) {
    return number - number % LINES;
  }

  private static String ofModules(int number) {
    String relation =
        number % LINES == 0
            ? "\"file\""
            : "{\"name\":\"line\",\"parent\":\"" + file(number) + "\"}";
    String alert =
        number % LINES == 0
            ? ",\"alert\":{\"match\":{\"message\":\"user " + number + " failed\"}}"
            : "";
    return String.format(
        Locale.ROOT,
        ",\"relation\":%s,\"weight\":%d,\"where\":\"%d,%d\",\"parts\":[{\"took\":%d},{\"took\":1}]%s",
        relation,
        1 + number % 100,
        number % 90,
        number % 180,
        number,
        alert);
  }

  private static String log(int number, Random random) {
    return String.format(
        Locale.ROOT,
        "\"@timestamp\":%d,\"trace_id\":\"%016x%016x\",\"host\":\"host-%d\",\"service\":\"svc-%d\","
            + "\"level\":\"%s\",\"status\":%d,\"took\":%d,\"bytes\":%d,\"ratio\":%.4f,"
            + "\"message\":\"request %d of user %d failed with error timeout after %d ms\"",
        Choices.FIRST + number * 10L,
        random.nextLong(),
        random.nextLong(),
        random.nextInt(1000),
        random.nextInt(20),
        random.nextInt(10) == 0 ? "ERROR" : "INFO",
        200 + random.nextInt(5) * 100,
        random.nextInt(5000),
        random.nextInt(100_000),
        random.nextDouble(),
        number,
        random.nextInt(3000),
        random.nextInt(5000));
  }
}
