package io.millrace.observe.prometheus;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes metric families as text: Prometheus' format 0.0.4 or OpenMetrics 1.0.0.
 *
 * <p>The two differ in four places: OpenMetrics names a counter's family without {@code _total},
 * knows {@code # UNIT}, ends with {@code # EOF} and escapes the quotation mark in a help text.
 * Samples of a family stand together, whatever the order in which they came (both formats demand
 * it); a second sample with the same labels is dropped, because one duplicate makes a scraper
 * refuse the whole page.
 */
public final class Exposition {
  /** Which text. */
  public enum Format {
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    Format(String contentType) {
      this.contentType = contentType;
    }

    /** The response's content type. */
    public String contentType() {
      return contentType;
    }

    /** What an Accept header asks for; Prometheus 2.5 and later ask for OpenMetrics first. */
    public static Format accepted(Iterable<String> acceptHeaders) {
      for (String accept : acceptHeaders) {
        if (accept.contains("application/openmetrics-text")) {
          return OPENMETRICS;
        }
      }
      return PROMETHEUS;
    }
  }

  /** What a family is. */
  public enum Type {
    COUNTER("counter"),
    GAUGE("gauge"),
    HISTOGRAM("histogram");

    private final String word;

    Type(String word) {
      this.word = word;
    }
  }

  private record Family(Type type, String unit, String help, Map<String, Double> samples) {}

  private final Format format;
  private final Map<String, Family> families = new LinkedHashMap<>();

  public Exposition(Format format) {
    this.format = format;
  }

  /**
   * One sample.
   *
   * @param family the name without {@code _total}; what is not allowed in a name becomes {@code _}
   * @param unit {@code seconds}, {@code bytes} or empty; a name that lacks its unit gets it
   */
  public void add(
      String family,
      Type type,
      String unit,
      String help,
      Map<String, String> labels,
      double value) {
    String name = named(family, unit);
    String suffix = type == Type.COUNTER ? "_total" : "";
    family(name, type, unit, help).samples.putIfAbsent(name + suffix + labels(labels), value);
  }

  /**
   * A histogram with its cumulative buckets.
   *
   * @param bounds upper bounds, ascending, in the unit
   * @param atMost how many were no larger than each bound
   */
  public void addHistogram(
      String family, String unit, String help, double[] bounds, long[] atMost, long n, double sum) {
    String name = named(family, unit);
    Map<String, Double> samples = family(name, Type.HISTOGRAM, unit, help).samples;
    for (int i = 0; i < bounds.length; i++) {
      samples.put(name + "_bucket" + labels(Map.of("le", number(bounds[i]))), (double) atMost[i]);
    }
    samples.put(name + "_bucket" + labels(Map.of("le", "+Inf")), (double) n);
    samples.put(name + "_sum", sum);
    samples.put(name + "_count", (double) n);
  }

  private Family family(String name, Type type, String unit, String help) {
    return families.computeIfAbsent(
        name, key -> new Family(type, unit, help, new LinkedHashMap<>()));
  }

  /** How many lines with values there are. */
  public int samples() {
    return families.values().stream().mapToInt(family -> family.samples.size()).sum();
  }

  /** The page. */
  public String text() {
    StringBuilder page = new StringBuilder(64 << 10);
    boolean open = format == Format.OPENMETRICS;
    families.forEach((name, family) -> {
      String head = family.type == Type.COUNTER && !open ? name + "_total" : name;
      page.append("# HELP ")
          .append(head)
          .append(' ')
          .append(escape(family.help, open))
          .append('\n');
      page.append("# TYPE ").append(head).append(' ').append(family.type.word).append('\n');
      if (open && !family.unit.isEmpty()) {
        page.append("# UNIT ").append(head).append(' ').append(family.unit).append('\n');
      }
      family.samples.forEach(
          (sample, value) -> page.append(sample).append(' ').append(number(value)).append('\n'));
    });
    if (open) {
      page.append("# EOF\n");
    }
    return page.toString();
  }

  private static String named(String family, String unit) {
    String name = family.replaceAll("[^a-zA-Z0-9_:]", "_");
    return unit.isEmpty() || name.endsWith("_" + unit) ? name : name + "_" + unit;
  }

  private static String labels(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("{");
    new TreeMap<>(labels)
        .forEach((name, value) ->
            text.append(text.length() > 1 ? "," : "")
                .append(name.replaceAll("[^a-zA-Z0-9_]", "_"))
                .append("=\"")
                .append(escape(value, true))
                .append('"'));
    return text.append('}').toString();
  }

  private static String escape(String text, boolean quotes) {
    String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
    return quotes ? escaped.replace("\"", "\\\"") : escaped;
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
