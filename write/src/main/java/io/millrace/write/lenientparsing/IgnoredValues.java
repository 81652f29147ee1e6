package io.millrace.write.lenientparsing;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How often a field of an index was left out of a document, and which source sent it; since the
 * node started, on the primaries of this node.
 *
 * <p>Bounded: {@value #ROWS} rows; further ones are counted together as {@code (others)} of their
 * index.
 */
final class IgnoredValues {
  static final int ROWS = 1000;
  private static final String OTHERS = "(others)";
  private static final int NAME_CHARACTERS = 256;

  /** Where a document says who sent it, the most specific first. */
  private static final List<List<String>> SOURCES =
      List.of(
          List.of("service", "name"),
          List.of("service"),
          List.of("resource", "attributes", "service.name"),
          List.of("kubernetes", "labels", "app"),
          List.of("kubernetes", "container", "name"),
          List.of("app"),
          List.of("host", "name"),
          List.of("host"),
          List.of("hostname"));

  private final Map<Key, LongAdder> rows = new ConcurrentHashMap<>();
  private final LongAdder values = new LongAdder();
  private final LongAdder documents = new LongAdder();

  /** A field that was left out; source is empty where the document does not tell. */
  record Key(String index, String field, String source, String reason) {}

  /** A row of the report. */
  record Row(Key key, long documents) {}

  void count(String index, Map<String, String> reasonByField, String source) {
    documents.increment();
    reasonByField.forEach((field, reason) -> {
      values.increment();
      Key key = new Key(index, cut(field), source, reason);
      LongAdder row = rows.get(key);
      if (row == null) {
        Key counted = rows.size() < ROWS ? key : new Key(index, OTHERS, "", "further fields");
        row = rows.computeIfAbsent(counted, unused -> new LongAdder());
      }
      row.increment();
    });
  }

  /** The most frequent first. */
  List<Row> rows() {
    return rows.entrySet().stream()
        .map(entry -> new Row(entry.getKey(), entry.getValue().sum()))
        .sorted(Comparator.comparingLong(Row::documents).reversed())
        .toList();
  }

  /** Values left out of the index. */
  long values() {
    return values.sum();
  }

  /** Documents with at least one such value. */
  long documents() {
    return documents.sum();
  }

  /** Who sent a document, by the fields that commonly say so; empty if none does. */
  static String source(Map<String, Object> document) {
    for (List<String> path : SOURCES) {
      Object value = at(document, path);
      if (value instanceof String text && !text.isBlank()) {
        return cut(text);
      }
    }
    return "";
  }

  /** The value at a path, written with dots or as objects. */
  static @Nullable Object at(Map<String, Object> document, List<String> path) {
    Object dotted = document.get(String.join(".", path));
    if (dotted != null) {
      return dotted;
    }
    Object value = document;
    for (String name : path) {
      if (!(value instanceof Map<?, ?> map)) {
        return null;
      }
      value = map.get(name);
    }
    return value;
  }

  private static String cut(String text) {
    return text.length() <= NAME_CHARACTERS ? text : text.substring(0, NAME_CHARACTERS);
  }
}
