package io.millrace.guard.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class ShapeTest {
  private static long of(String source) {
    return of("logs-2026.01.01", source);
  }

  private static long of(String index, String source) {
    return Shape.of(index, "query", Shape.of(source));
  }

  @Test
  void theWordsThatAreSearchedMakeNoDifference() {
    assertEquals(
        of("{\"query\":{\"term\":{\"host\":{\"value\":\"web-17\"}}},\"size\":10}"),
        of("{\"query\":{\"term\":{\"host\":{\"value\":\"db-442\"}}},\"size\":25}"));
    assertEquals(
        of("{\"query\":{\"range\":{\"at\":{\"from\":1700000000000,\"to\":1700000900000}}}}"),
        of("{\"query\":{\"range\":{\"at\":{\"from\":1800000000000,\"to\":1800000900000}}}}"));
    assertEquals(
        of("{\"terms\":{\"h\":[\"aa\",\"bb\",\"cc\"]}}"),
        of("{\"terms\":{\"h\":[\"xx\",\"yy\"]}}"));
    assertEquals(of("{\"size\":10}"), of("{\"size\":10,\"timeout\":\"50ms\"}"));
    assertEquals(of("logs-2026.01.01", "{}"), of("logs-2027.12.31", "{}"));
  }

  @Test
  void whatDecidesTheCostDoes() {
    String hits = "{\"size\":10}";
    assertNotEquals(of(hits), of("{\"size\":10000}"));
    String histogram = "{\"date_histogram\":{\"field\":\"at\",\"fixed_interval\":\"1h\"}}";
    assertNotEquals(of(histogram), of(histogram.replace("1h", "1m")));
    assertNotEquals(of(histogram), of(histogram.replace("\"at\"", "\"other\"")));
    String script = "{\"script\":{\"source\":\"return 1\"}}";
    assertNotEquals(of(script), of(script.replace("return 1", "return f()")));
    assertNotEquals(
        of("{\"terms\":{\"h\":[\"a\"]}}"), of("{\"terms\":{\"h\":[\"a\",\"b\",\"c\",\"d\"]}}"));
    assertNotEquals(of("logs", hits), of("spans", hits));
    assertNotEquals(
        Shape.of("logs", "query", Shape.of(hits)), Shape.of("logs", "fetch", Shape.of(hits)));
    assertNotEquals(
        of("{\"wildcard\":\"ab*\"}"), of("{\"wildcard\":\"" + "*a".repeat(100) + "\"}"));
  }

  @Test
  void anyTextHasAShape() {
    for (String text : new String[] {"", "\"", "\"\\", "{\"a\":\"b", "-", "[[[[", "\"\\\"\":1"}) {
      assertEquals(of(text), of(text));
    }
  }
}
