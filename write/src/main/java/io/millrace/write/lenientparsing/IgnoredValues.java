package io.millrace.write.lenientparsing;

import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.report.NodeReportSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/**
 * How often a field of an index was left out of a document or cut, and which source sent it; since
 * the node started, on the primaries of this node. {@code GET /_millrace/ignored} shows it.
 *
 * <p>Bounded: {@value #ROWS} rows, and {@value #FIELDS} fields of one source in one index, because
 * a single document of 5,000 new names would otherwise take every row. What is beyond is counted as
 * {@code (others)}. A row that counted nothing for an hour gives way when there is no other.
 */
public final class IgnoredValues implements NodeReportSource {
  static final int ROWS = 1000;
  static final int FIELDS = 50;

  /** So many rows does the report show; the rest is in its sums. */
  static final int SHOWN = 200;

  /** So many rows are samples of the metric. */
  static final int SAMPLES = 10;

  static final String OTHERS = "(others)";
  private static final int NAME_CHARACTERS = 256;
  private static final long STALE_NANOS = TimeUnit.HOURS.toNanos(1);

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

  private final LongSupplier nanos;
  private final Map<Key, LastMinute> rows = new ConcurrentHashMap<>();
  private final Map<Sender, AtomicInteger> fields = new ConcurrentHashMap<>();
  private final LongAdder values = new LongAdder();
  private final LongAdder documents = new LongAdder();

  /** Starts at zero. */
  public IgnoredValues() {
    this(System::nanoTime);
  }

  /**
   * @param nanos the clock, nanoseconds
   */
  IgnoredValues(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A field that was left out; source is empty where the document does not tell. */
  record Key(String index, String field, String source, String reason) {}

  private record Sender(String index, String source) {}

  /** A row of the report. */
  record Row(Key key, long documents, long lastMinute) {}

  /**
   * Counts one document.
   *
   * @param reasonByField what was left out or cut, and why
   * @param source who sent it; empty for unknown
   */
  void count(String index, Map<String, String> reasonByField, String source) {
    if (reasonByField.isEmpty()) {
      return;
    }
    long now = nanos.getAsLong();
    documents.increment();
    Set<LastMinute> counted = new HashSet<>(); // fields without a row of their own share one
    reasonByField.forEach((field, reason) -> {
      values.increment();
      LastMinute row = row(new Key(index, cut(field), source, reason), now);
      if (counted.add(row)) {
        row.add(now);
      }
    });
  }

  /**
   * Counts one document whose reader does not know who sent it; that is read here.
   *
   * @param reasonByField what was left out or cut, and why
   */
  public void count(
      String index, Map<String, String> reasonByField, BytesReference document, MediaType type) {
    if (!reasonByField.isEmpty()) {
      Map<String, Object> read = LooseJson.read(document, type);
      count(index, reasonByField, read == null ? "" : source(read));
    }
  }

  private LastMinute row(Key key, long now) {
    LastMinute row = rows.get(key);
    if (row != null) {
      return row;
    }
    if (rows.size() >= ROWS) {
      forget(now);
    }
    Sender sender = new Sender(key.index, key.source);
    Key counted = key;
    if (rows.size() >= ROWS) {
      counted = new Key(key.index, OTHERS, "", "further fields");
    } else if (fields.computeIfAbsent(sender, unused -> new AtomicInteger()).incrementAndGet()
        > FIELDS) {
      counted = new Key(key.index, OTHERS, key.source, "further fields");
    }
    return rows.computeIfAbsent(counted, unused -> new LastMinute(now));
  }

  /** Makes room: rows of which nothing was heard for long, as their sender was mended. */
  private synchronized void forget(long now) {
    List<Key> stale = new ArrayList<>();
    rows.forEach((key, row) -> {
      if (now - row.latest() >= STALE_NANOS) {
        stale.add(key);
      }
    });
    stale.forEach(rows::remove);
    if (!stale.isEmpty()) {
      fields.clear();
      rows.keySet().stream()
          .filter(key -> !key.field.equals(OTHERS))
          .forEach(key ->
              fields
                  .computeIfAbsent(new Sender(key.index, key.source), unused -> new AtomicInteger())
                  .incrementAndGet());
    }
  }

  /** Forgets an index that was deleted. */
  void remove(String index) {
    rows.keySet().removeIf(key -> key.index.equals(index));
    fields.keySet().removeIf(sender -> sender.index.equals(index));
  }

  /** The most frequent first. */
  List<Row> rows() {
    long now = nanos.getAsLong();
    return rows.entrySet().stream()
        .map(entry ->
            new Row(entry.getKey(), entry.getValue().all(), entry.getValue().lastMinute(now)))
        .sorted(Comparator.comparingLong(Row::documents).reversed())
        .toList();
  }

  /** The rows that counted most within the last minute, as values of a metric. */
  List<Sample> lastMinute() {
    return rows().stream()
        .filter(row -> row.lastMinute > 0)
        .sorted(Comparator.comparingLong(Row::lastMinute).reversed())
        .limit(SAMPLES)
        .map(row -> {
          Map<String, String> labels = new LinkedHashMap<>();
          labels.put("index", row.key.index);
          labels.put("field", row.key.field);
          labels.put("source", row.key.source);
          labels.put("reason", row.key.reason);
          return new Sample(labels, row.lastMinute);
        })
        .toList();
  }

  @Override
  public Map<String, Object> report() {
    List<Row> all = rows();
    List<Map<String, Object>> shown = all.stream().limit(SHOWN).map(IgnoredValues::render).toList();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("documents", documents());
    report.put("values", values());
    report.put("fields", shown);
    report.put("fields_not_shown", all.size() - shown.size());
    return report;
  }

  private static Map<String, Object> render(Row row) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("index", row.key.index);
    map.put("field", row.key.field);
    map.put("source", row.key.source);
    map.put("documents", row.documents);
    map.put("last_minute", row.lastMinute);
    map.put("reason", row.key.reason);
    return map;
  }

  /** Values left out of the index, or cut. */
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
