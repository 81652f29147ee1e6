package io.millrace.write.lenientparsing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class IgnoredValuesTest {
  private final IgnoredValues values = new IgnoredValues();

  @Test
  void countsDocumentsPerFieldAndSource() {
    values.count("logs", Map.of("status", "no long"), "checkout");
    values.count("logs", Map.of("status", "no long", "host", "no object"), "checkout");
    values.count("logs", Map.of("status", "no long"), "web");

    assertEquals(3, values.documents());
    assertEquals(4, values.values());
    assertEquals(
        new IgnoredValues.Row(new IgnoredValues.Key("logs", "status", "checkout", "no long"), 2),
        values.rows().getFirst());
    assertEquals(3, values.rows().size());
  }

  @Test
  void rowsAreBounded() {
    for (int i = 0; i < 3 * IgnoredValues.ROWS; i++) {
      values.count("logs", Map.of("field_" + i, "no long"), "");
    }

    assertEquals(IgnoredValues.ROWS + 1, values.rows().size());
    assertEquals("(others)", values.rows().getFirst().key().field());
    assertEquals(2 * IgnoredValues.ROWS, values.rows().getFirst().documents());
  }

  @Test
  void sourceIsTheMostSpecificFieldThereIs() {
    assertEquals("a", IgnoredValues.source(Map.of("service.name", "a", "host", "h")));
    assertEquals("b", IgnoredValues.source(Map.of("service", Map.of("name", "b"))));
    assertEquals("c", IgnoredValues.source(Map.of("service", "c")));
    assertEquals("h", IgnoredValues.source(Map.of("host", Map.of("name", "h"), "service", 7)));
    assertEquals("", IgnoredValues.source(Map.of("message", "m")));
  }
}
