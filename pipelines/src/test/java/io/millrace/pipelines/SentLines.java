package io.millrace.pipelines;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What became of the lines that were sent in a day, as their senders were told. */
final class SentLines {
  private final Map<Kind, Long> written = new HashMap<>();
  private final Map<Kind, Long> refused = new HashMap<>();

  /** Lines that are treated alike. */
  record Kind(String service, String level) {}

  void add(Kind kind, boolean isWritten) {
    (isWritten ? written : refused).merge(kind, 1L, Long::sum);
  }

  long written(String service) {
    return sum(written, service);
  }

  long refused(String service) {
    return sum(refused, service);
  }

  private static long sum(Map<Kind, Long> counts, String service) {
    return counts.entrySet().stream()
        .filter(each -> each.getKey().service().equals(service))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static long all(Map<Kind, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Compares with the report of a day, per source, level and budget.
   *
   * @param bytes of every line
   */
  void assertReported(Map<String, Object> report, int bytes) {
    assertEquals(all(written), report.get("documents"));
    assertEquals(all(refused), report.get("dropped"));
    List<?> top = (List<?>) report.get("top");
    assertEquals("sources", 5, top.size());
    for (Object each : top) {
      Map<?, ?> source = (Map<?, ?>) each;
      String service = (String) source.get("service");
      assertEquals(service, written(service), source.get("documents"));
      assertEquals(service, written(service) * bytes, source.get("bytes"));
      assertEquals(service, refused(service), source.get("dropped"));
      for (String level : List.of("debug", "info", "error")) {
        Kind kind = new Kind(service, level);
        String key = level.equals("error") ? "warn_and_above" : level;
        long wrote = written.getOrDefault(kind, 0L);
        long dropped = refused.getOrDefault(kind, 0L);
        assertEquals(kind.toString(), wrote, of(source, "levels", key));
        assertEquals(kind.toString(), dropped, of(source, "dropped_levels", key));
      }
    }
    for (Object each : (List<?>) report.get("budgets")) {
      Map<?, ?> budget = (Map<?, ?>) each;
      String service = ((String) budget.get("budget")).split("[= ]")[2];
      assertEquals(written(service) * bytes, budget.get("bytes"));
      assertEquals(refused(service), budget.get("dropped"));
      assertEquals(true, budget.get("exceeded"));
    }
  }

  private static long of(Map<?, ?> source, String part, String level) {
    Object counts = source.get(part);
    return counts == null ? 0 : (Long) ((Map<?, ?>) counts).get(level);
  }
}
