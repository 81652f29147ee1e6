package io.millrace.testkit.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.compare.RandomOperations.Operation;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RandomOperationsTest {
  private static List<Operation> series(long seed, int length) {
    RandomOperations operations = new RandomOperations(seed, "logs");
    List<Operation> series = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      series.add(operations.next());
    }
    return series;
  }

  @Test
  void theSameSeedIsTheSameSeries() {
    assertEquals(series(7, 200), series(7, 200));
    assertNotEquals(series(7, 200), series(8, 200));
  }

  @Test
  void everyKindOfRequestOccurs() {
    Set<String> kinds = new TreeSet<>();
    series(1, 500)
        .forEach(operation ->
            kinds.add(
                operation.method()
                    + operation.path().replaceAll("/d\\d+$", "").replaceAll("\\?.*", "")));
    assertTrue(
        kinds.containsAll(
            Set.of(
                "PUT/logs/_doc",
                "GET/logs/_doc",
                "DELETE/logs/_doc",
                "PUT/logs/_create",
                "POST/logs/_update",
                "POST/logs/_bulk",
                "POST/logs/_mget",
                "POST/logs/_search",
                "POST/logs/_count",
                "POST/logs/_refresh",
                "POST/logs/_update_by_query",
                "POST/logs/_delete_by_query")),
        kinds.toString());
  }

  @Test
  void everyBodyIsJsonLineByLine() throws Exception {
    for (Operation operation : series(2, 300)) {
      if (operation.body() != null) {
        for (String line : operation.body().split("\n")) {
          JsonHttp.MAPPER.readTree(line);
        }
      }
    }
    JsonHttp.MAPPER.readTree(RandomOperations.creation(3, "\"index.codec\":\"default\""));
  }
}
