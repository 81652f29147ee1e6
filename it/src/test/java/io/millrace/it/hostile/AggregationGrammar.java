package io.millrace.it.hostile;

import static io.millrace.it.hostile.HostileRequest.object;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every kind of aggregation that a node registers, nested into each other. */
final class AggregationGrammar {
  private static final int DEEPEST = 4;

  private final Choices choices;
  private final QueryGrammar queries;
  private final Map<String, Supplier<Object>> buckets = new LinkedHashMap<>();
  private final Map<String, Supplier<Object>> metrics = new LinkedHashMap<>();

  /** Beside buckets, over what is in them. */
  private final Map<String, Supplier<Object>> siblings = new LinkedHashMap<>();

  /** Within buckets that have an order. */
  private final Map<String, Supplier<Object>> parents = new LinkedHashMap<>();

  AggregationGrammar(Choices choices, QueryGrammar queries) {
    this.choices = choices;
    this.queries = queries;
    bucketsOfTerms();
    bucketsOfNumbers();
    bucketsOfQueries();
    bucketsOfPlaces();
    metrics();
    pipelines();
  }

  /** The kinds that it knows. */
  Set<String> kinds() {
    Set<String> kinds = new TreeSet<>(buckets.keySet());
    kinds.addAll(metrics.keySet());
    kinds.addAll(siblings.keySet());
    kinds.addAll(parents.keySet());
    return kinds;
  }

  /** The value of {@code aggs}. */
  Map<String, Object> aggregations() {
    return level(0);
  }

  /** One of a kind, alone. */
  Map<String, Object> of(String kind) {
    if (siblings.containsKey(kind) || parents.containsKey(kind)) {
      return ordered(
          parents.containsKey(kind) ? kind : null, siblings.containsKey(kind) ? kind : null, 0);
    }
    Supplier<Object> rule = buckets.get(kind);
    return object("a", object(kind, (rule == null ? metrics.get(kind) : rule).get()));
  }

  private Map<String, Object> level(int depth) {
    if (choices.oneOf(6)) {
      return ordered(any(parents), any(siblings), depth);
    }
    Map<String, Object> all = new HashMap<>();
    for (int i = choices.any(1, 1, 1, 2, 5); i > 0; i--) {
      boolean leaf = depth >= DEEPEST || !choices.another() || choices.oneOf(3);
      String kind = any(leaf ? metrics : buckets);
      Map<String, Object> one = new HashMap<>();
      one.put(kind, (leaf ? metrics : buckets).get(kind).get());
      if (!leaf && !choices.oneOf(3)) {
        one.put("aggs", level(depth + 1));
      }
      all.put("a" + i, one);
    }
    return all;
  }

  private String any(Map<String, ?> rules) {
    return List.copyOf(rules.keySet()).get(choices.random.nextInt(rules.size()));
  }

  /** A histogram with a parent's pipeline in it and a sibling's beside it. */
  private Map<String, Object> ordered(
      @Nullable String parent, @Nullable String sibling, int depth) {
    Map<String, Object> inner = new HashMap<>();
    inner.put("m", object("avg", object("field", choices.number())));
    if (parent != null) {
      inner.put("p", object(parent, parents.get(parent).get()));
    }
    if (depth < DEEPEST && choices.oneOf(3)) {
      inner.putAll(level(depth + 2));
    }
    Map<String, Object> all = new HashMap<>();
    all.put("h", Map.of("date_histogram", histogram(), "aggs", inner));
    if (sibling != null) {
      all.put("s", object(sibling, siblings.get(sibling).get()));
    }
    return all;
  }

  private Map<String, Object> histogram() {
    Map<String, Object> histogram = new HashMap<>();
    histogram.put("field", "@timestamp");
    histogram.put("fixed_interval", choices.any("1ms", "10ms", "1s", "1m", "1d"));
    histogram.put("min_doc_count", choices.any(0, 1));
    if (choices.oneOf(3)) {
      long end = Choices.FIRST + choices.any(1_000L, 1_000_000L, 1_000_000_000L, 100_000_000_000L);
      histogram.put("extended_bounds", Map.of("min", Choices.FIRST, "max", end));
    }
    return histogram;
  }

  private void bucketsOfTerms() {
    buckets.put(
        "terms",
        () ->
            Map.of(
                "field",
                choices.column(),
                "size",
                choices.many(),
                "shard_size",
                choices.many(),
                "min_doc_count",
                choices.any(0, 1),
                "collect_mode",
                choices.any("depth_first", "breadth_first")));
    buckets.put(
        "multi_terms",
        () ->
            Map.of(
                "terms",
                choices.list(2 + choices.random.nextInt(4), i -> object("field", choices.column())),
                "size",
                choices.many()));
    buckets.put("significant_terms", () -> sized(choices.keyword()));
    buckets.put("significant_text", () -> Map.of("field", "message", "size", choices.many()));
    buckets.put(
        "rare_terms",
        () -> Map.of("field", choices.keyword(), "max_doc_count", 100, "precision", 1e-5));
    buckets.put(
        "composite",
        () ->
            Map.of(
                "size",
                choices.any(1, 1_000, 10_000, 65_536),
                "sources",
                choices.list(
                    1 + choices.random.nextInt(4),
                    i -> object("c" + i, object("terms", object("field", choices.column()))))));
    buckets.put(
        "diversified_sampler",
        () -> Map.of("field", choices.keyword(), "shard_size", choices.many()));
  }

  private Map<String, Object> sized(String field) {
    return Map.of("field", field, "size", choices.many(), "min_doc_count", 1);
  }

  private void bucketsOfNumbers() {
    buckets.put("date_histogram", this::histogram);
    buckets.put(
        "histogram",
        () ->
            Map.of(
                "field",
                choices.number(),
                "interval",
                choices.any(1e-9, 0.001, 1.0, 1000.0),
                "min_doc_count",
                choices.any(0, 1)));
    buckets.put(
        "auto_date_histogram", () -> Map.of("field", "@timestamp", "buckets", choices.many()));
    buckets.put(
        "variable_width_histogram",
        () -> Map.of("field", choices.number(), "buckets", choices.many()));
    buckets.put("range", () -> ranges(choices.number(), i -> Map.of("from", i, "to", 2 * i + 1)));
    buckets.put(
        "date_range", () -> ranges("@timestamp", i -> Map.of("from", Choices.FIRST + i * 7L)));
    buckets.put("ip_range", () -> ranges("address", i -> Map.of("mask", "10.0.0.0/" + i % 33)));
  }

  private Map<String, Object> ranges(String field, IntFunction<?> range) {
    return Map.of("field", field, "ranges", choices.list(choices.listed(), range));
  }

  private void bucketsOfQueries() {
    buckets.put("filter", queries::query);
    buckets.put(
        "filters",
        () -> object("filters", choices.list(choices.any(1, 10, 300), i -> queries.query())));
    buckets.put("adjacency_matrix", this::adjacency);
    buckets.put("sampler", () -> object("shard_size", choices.many()));
    buckets.put("global", Map::of);
    buckets.put("missing", () -> object("field", choices.column()));
    buckets.put("nested", () -> object("path", "parts"));
    buckets.put("reverse_nested", Map::of);
    buckets.put("children", () -> object("type", "line"));
    buckets.put("parent", () -> object("type", "line"));
  }

  private Map<String, Object> adjacency() {
    Map<String, Object> filters = new LinkedHashMap<>();
    for (int i = choices.any(2, 10, 100); i > 0; i--) {
      filters.put("f" + i, queries.query());
    }
    return object("filters", filters);
  }

  private void bucketsOfPlaces() {
    buckets.put(
        "geo_distance",
        () -> Map.of("field", "where", "origin", "1,2", "ranges", List.of(object("from", 1))));
    buckets.put("geohash_grid", () -> cells(1 + choices.random.nextInt(12)));
    buckets.put("geotile_grid", () -> cells(choices.random.nextInt(30)));
    metrics.put("geo_bounds", () -> object("field", "where"));
    metrics.put("geo_centroid", () -> object("field", "where"));
  }

  private Map<String, Object> cells(int precision) {
    return Map.of("field", "where", "precision", precision, "size", choices.many());
  }

  private void metrics() {
    metrics.put(
        "matrix_stats", () -> object("fields", choices.list(choices.few(), i -> choices.number())));
    for (String kind :
        List.of(
            "avg",
            "sum",
            "min",
            "max",
            "stats",
            "extended_stats",
            "median_absolute_deviation",
            "multivalue_doc_count",
            "value_count")) {
      metrics.put(kind, () -> object("field", choices.number()));
    }
    metrics.put(
        "weighted_avg",
        () ->
            Map.of(
                "value", object("field", choices.number()),
                "weight", object("field", choices.number())));
    metrics.put(
        "percentiles",
        () ->
            Map.of(
                "field",
                choices.number(),
                choices.any("tdigest", "hdr"),
                Map.of(),
                "percents",
                choices.list(choices.listed(), i -> i % 100)));
    metrics.put(
        "percentile_ranks",
        () -> Map.of("field", choices.number(), "values", choices.list(choices.listed(), i -> i)));
    metrics.put(
        "cardinality",
        () -> Map.of("field", choices.column(), "precision_threshold", choices.many()));
    metrics.put(
        "top_hits",
        () ->
            Map.of(
                "size",
                choices.any(1, 10, 100),
                "highlight",
                object("fields", object("*", Map.of()))));
    metrics.put(
        "scripted_metric",
        () ->
            Map.of(
                "init_script",
                "state.l = []",
                "map_script",
                "for (int i = 0; i < " + choices.many() + "; i++) state.l.add('x' + i)",
                "combine_script",
                "return state.l",
                "reduce_script",
                choices.script("states.size()")));
  }

  private void pipelines() {
    for (String kind :
        List.of(
            "avg_bucket",
            "sum_bucket",
            "min_bucket",
            "max_bucket",
            "stats_bucket",
            "extended_stats_bucket",
            "percentiles_bucket")) {
      siblings.put(kind, () -> object("buckets_path", "h>m"));
    }
    parents.put("cumulative_sum", () -> object("buckets_path", "m"));
    parents.put("derivative", () -> object("buckets_path", "m"));
    parents.put("serial_diff", () -> Map.of("buckets_path", "m", "lag", choices.many()));
    parents.put("moving_avg", () -> Map.of("buckets_path", "m", "window", choices.many()));
    parents.put(
        "moving_fn",
        () ->
            Map.of(
                "buckets_path", "m",
                "window", choices.many(),
                "script", choices.script("MovingFunctions.max(values)")));
    parents.put(
        "bucket_script",
        () -> Map.of("buckets_path", object("m", "m"), "script", choices.script("params.m")));
    parents.put(
        "bucket_selector",
        () -> Map.of("buckets_path", object("m", "m"), "script", choices.script("params.m > 1")));
    parents.put(
        "bucket_sort", () -> Map.of("from", choices.many(), "size", choices.any(1, 10_000)));
  }
}
