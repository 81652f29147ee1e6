package io.millrace.write.lenientparsing;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IgnoredValuesTest {
  private long now;
  private final IgnoredValues values = new IgnoredValues(() -> now);

  @Test
  void countsDocumentsPerFieldAndSource() {
    values.count("logs", Map.of("status", "no long"), "checkout");
    values.count("logs", Map.of("status", "no long", "host", "no object"), "checkout");
    values.count("logs", Map.of("status", "no long"), "web");

    assertEquals(3, values.documents());
    assertEquals(4, values.values());
    assertEquals(
        new IgnoredValues.Row(new IgnoredValues.Key("logs", "status", "checkout", "no long"), 2, 2),
        values.rows().getFirst());
    assertEquals(3, values.rows().size());
  }

  @Test
  void rowsAreBounded() {
    for (int i = 0; i < 3 * IgnoredValues.ROWS; i++) {
      values.count("logs", Map.of("field_" + i, "no long"), "source_" + i);
    }

    assertEquals(IgnoredValues.ROWS + 1, values.rows().size());
    assertEquals("(others)", values.rows().getFirst().key().field());
    assertEquals(2 * IgnoredValues.ROWS, values.rows().getFirst().documents());
  }

  @Test
  void oneSourceTakesNotEveryRow() {
    for (int i = 0; i < 5000; i++) {
      values.count("logs", Map.of("field_" + i, "beyond the mapping's limits"), "wide");
    }
    values.count("logs", Map.of("status", "no long"), "checkout");

    assertEquals(IgnoredValues.FIELDS + 2, values.rows().size());
    assertEquals(
        new IgnoredValues.Key("logs", "(others)", "wide", "further fields"),
        values.rows().getFirst().key());
    assertEquals(5000 - IgnoredValues.FIELDS, values.rows().getFirst().documents());
    assertTrue(values.rows().stream().anyMatch(row -> row.key().source().equals("checkout")));
  }

  @Test
  void aRowCountsADocumentOnce() {
    Map<String, String> wide = new LinkedHashMap<>();
    for (int i = 0; i < 5000; i++) {
      wide.put("field_" + i, "beyond the mapping's limits");
    }
    values.count("logs", wide, "wide");

    assertEquals(5000, values.values());
    assertEquals(1, values.documents());
    assertTrue(values.rows().stream().allMatch(row -> row.documents() == 1));
  }

  @Test
  void theLastMinuteForgets() {
    values.count("logs", Map.of("status", "no long"), "a");
    now += SECONDS.toNanos(40);
    values.count("logs", Map.of("status", "no long"), "a");
    assertEquals(2, values.rows().getFirst().lastMinute());
    assertEquals(2, values.lastMinute().getFirst().value());
    now += SECONDS.toNanos(30);
    assertEquals(1, values.rows().getFirst().lastMinute());
    now += SECONDS.toNanos(3000);
    assertEquals(0, values.rows().getFirst().lastMinute());
    assertEquals(2, values.rows().getFirst().documents());
    assertEquals(List.of(), values.lastMinute());
  }

  @Test
  void rowsOfWhichNothingIsHeardGiveWay() {
    for (int i = 0; i < IgnoredValues.ROWS; i++) {
      values.count("logs", Map.of("field", "no long"), "source_" + i);
    }
    now += HOURS.toNanos(1);
    values.count("logs", Map.of("field", "no long"), "source_7");
    values.count("logs", Map.of("field", "no long"), "new");

    assertEquals(2, values.rows().size());
    assertEquals("source_7", values.rows().getFirst().key().source());
    assertEquals(IgnoredValues.ROWS + 2, values.documents());
  }

  @Test
  void aDeletedIndexIsForgotten() {
    values.count("gone", Map.of("status", "no long"), "a");
    values.count("logs", Map.of("status", "no long"), "a");
    values.remove("gone");

    assertEquals(1, values.rows().size());
    assertEquals("logs", values.rows().getFirst().key().index());
  }

  @Test
  void theReportShowsTheLargestRows() {
    for (int i = 0; i < IgnoredValues.SHOWN + 5; i++) {
      values.count("logs", Map.of("field", "no long"), "source_" + i);
    }
    values.count("logs", Map.of("field", "no long"), "source_9");

    Map<String, Object> report = values.report();
    List<?> fields = (List<?>) report.get("fields");
    assertEquals(IgnoredValues.SHOWN, fields.size());
    assertEquals(
        Map.of(
            "index", "logs",
            "field", "field",
            "source", "source_9",
            "documents", 2L,
            "last_minute", 2L,
            "reason", "no long"),
        fields.getFirst());
    assertEquals(5, report.get("fields_not_shown"));
    assertEquals(IgnoredValues.SHOWN + 6L, report.get("documents"));
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
