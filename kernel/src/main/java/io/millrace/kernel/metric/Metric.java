package io.millrace.kernel.metric;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One figure that a feature keeps: the stats API, the exporters and the dashboard all render this
 * list.
 *
 * @param name lower-case words joined by underscores, without prefix and unit, unique in its
 *     feature
 * @param kind whether it only grows or moves freely
 * @param unit {@code bytes}, {@code nanoseconds}, {@code requests}, ...
 * @param doc one sentence
 * @param merge how the values of several nodes make one
 * @param samples reads the current values; must be cheap, thread-safe and must not throw
 * @param tags what it tells besides its figure; empty for most
 */
public record Metric(
    String name,
    Kind kind,
    String unit,
    String doc,
    Merge merge,
    Supplier<List<Sample>> samples,
    Set<Tag> tags) {

  /** A metric without tags. */
  public Metric(
      String name,
      Kind kind,
      String unit,
      String doc,
      Merge merge,
      Supplier<List<Sample>> samples) {
    this(name, kind, unit, doc, merge, samples, Set.of());
  }

  /** The same metric with a tag. */
  public Metric tagged(Tag tag) {
    return new Metric(name, kind, unit, doc, merge, samples, Set.of(tag));
  }

  /** Whether a metric only grows (until restart) or moves freely. */
  public enum Kind {
    COUNTER,
    GAUGE
  }

  /** How values of several nodes make one figure for the cluster. */
  public enum Merge {
    SUM,
    MAX
  }

  /**
   * One value.
   *
   * @param labels dimensions such as {@code index}; empty for a plain metric
   */
  public record Sample(Map<String, String> labels, double value) {}

  /** A plain counter that adds up over nodes. */
  public static Metric counter(String name, String unit, String doc, LongSupplier value) {
    return plain(name, Kind.COUNTER, unit, doc, Merge.SUM, value);
  }

  /** A plain gauge that adds up over nodes. */
  public static Metric gauge(String name, String unit, String doc, LongSupplier value) {
    return plain(name, Kind.GAUGE, unit, doc, Merge.SUM, value);
  }

  /** A plain gauge of which the cluster's value is the largest node's. */
  public static Metric peak(String name, String unit, String doc, LongSupplier value) {
    return plain(name, Kind.GAUGE, unit, doc, Merge.MAX, value);
  }

  private static Metric plain(
      String name, Kind kind, String unit, String doc, Merge merge, LongSupplier value) {
    return new Metric(
        name, kind, unit, doc, merge, () -> List.of(new Sample(Map.of(), value.getAsLong())));
  }
}
