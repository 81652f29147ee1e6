package io.millrace.it.support;

import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.util.function.IntFunction;

/** Bulk bodies of small log documents, the same ones for every run. */
public final class Lines {
  private static final String[] LEVELS = {"INFO", "WARN", "ERROR"};

  private Lines() {}

  /** Document {@code n} of the endless series: number, host, level, time and message. */
  public static String document(int n) {
    return "{\"n\":"
        + n
        + ",\"host\":\"host-"
        + n % 17
        + "\",\"level\":\""
        + LEVELS[n % 3]
        + "\",\"@timestamp\":\"2026-11-21T"
        + "%02d:%02d:%02d".formatted(n / 3600 % 24, n / 60 % 60, n % 60)
        + "Z\",\"message\":\"request "
        + n
        + " took "
        + n * 37 % 1000
        + " ms\"}";
  }

  /** Bulk lines for the documents {@code from} to {@code to - 1} without ids. */
  public static String bulk(int from, int to) {
    return bulk(from, to, n -> "{\"index\":{}}");
  }

  /** Bulk lines for the documents {@code from} to {@code to - 1}, each under its own action. */
  public static String bulk(int from, int to, IntFunction<String> action) {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      body.append(action.apply(n)).append('\n').append(document(n)).append('\n');
    }
    return body.toString();
  }

  /**
   * Sends bulks that together hold the documents 0 to {@code bulks * size - 1}.
   *
   * @throws AssertionError when a bulk or a single document was refused
   */
  public static void load(JsonHttp http, String target, int bulks, int size) {
    for (int i = 0; i < bulks; i++) {
      accepted(http.post("/" + target + "/_bulk", bulk(i * size, (i + 1) * size)));
    }
  }

  /**
   * The answer of a bulk in which nothing failed.
   *
   * @throws AssertionError otherwise, with the answer
   */
  public static JsonAnswer accepted(JsonAnswer bulk) {
    if (bulk.ok().at("/errors").asBoolean()) {
      throw new AssertionError("refused documents in " + bulk);
    }
    return bulk;
  }
}
