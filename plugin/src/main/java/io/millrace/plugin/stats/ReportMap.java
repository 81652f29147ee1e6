package io.millrace.plugin.stats;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A part of a report as another node sent it: what is missing or of another kind reads as empty, so
 * that a node of another version is shown with what it does say.
 */
record ReportMap(Map<?, ?> map) {

  private static ReportMap of(Object value) {
    return new ReportMap(value instanceof Map<?, ?> inner ? inner : Map.of());
  }

  ReportMap child(String name) {
    return map.get(name) instanceof Map<?, ?> inner ? new ReportMap(inner) : of(Map.of());
  }

  String text(String name) {
    return map.get(name) instanceof String text ? text : "";
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(map.get(name));
  }

  double number(String name) {
    return map.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  List<ReportMap> list(String name) {
    return map.get(name) instanceof List<?> values
        ? values.stream().filter(Map.class::isInstance).map(ReportMap::of).toList()
        : List.of();
  }

  /** Each name with the map below it. */
  void forEach(BiConsumer<String, ReportMap> each) {
    map.forEach((name, value) -> each.accept(String.valueOf(name), of(value)));
  }
}
