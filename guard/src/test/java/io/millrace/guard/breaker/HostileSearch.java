package io.millrace.guard.breaker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/**
 * One search of the grammar of hostile searches: a body made of the queries, aggregations, sorts
 * and side features of the search API with parameters at their extremes. The same seed gives the
 * same body. Fields: {@code at} date, {@code host} and {@code id} keyword, {@code n} long, {@code
 * t} text.
 */
final class HostileSearch {
  private static final List<String> FIELDS = List.of("at", "host", "id", "n", "t", "absent");
  private static final List<String> VALUES = List.of("host", "id", "n", "at");
  private static final List<String> NUMBERS = List.of("n", "at");
  private static final int[] SIZES = {0, 1, 10, 999, 10_000, 65_536, Integer.MAX_VALUE};
  private static final int DEEPEST = 3;

  private final Random random;

  private HostileSearch(long seed) {
    this.random = new Random(seed);
  }

  /** The body of a search; JSON as maps, lists and values. */
  static Map<String, Object> of(long seed) {
    return new HostileSearch(seed).body();
  }

  /**
   * The smallest body that this one can be cut down to and that is still bad: parts are left out as
   * long as one can be.
   */
  static Map<String, Object> shrink(Map<String, Object> body, Predicate<Map<String, Object>> bad) {
    Map<String, Object> smallest = body;
    for (boolean smaller = true; smaller; ) {
      smaller = false;
      for (Map<String, Object> each : cuts(smallest)) {
        if (bad.test(each)) {
          smallest = each;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  /** The body with one of its parts left out, for each part at any depth. */
  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> cuts(Map<String, Object> body) {
    List<Map<String, Object>> cuts = new ArrayList<>();
    for (Map.Entry<String, Object> part : body.entrySet()) {
      Map<String, Object> without = new LinkedHashMap<>(body);
      without.remove(part.getKey());
      cuts.add(without);
      if (part.getValue() instanceof Map<?, ?> inner) {
        for (Map<String, Object> cut : cuts((Map<String, Object>) inner)) {
          Map<String, Object> with = new LinkedHashMap<>(body);
          with.put(part.getKey(), cut);
          cuts.add(with);
        }
      } else if (part.getValue() instanceof List<?> list && list.size() > 1) {
        Map<String, Object> with = new LinkedHashMap<>(body);
        with.put(part.getKey(), list.subList(0, list.size() / 2));
        cuts.add(with);
      }
    }
    return cuts;
  }

  private Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    maybe(3, () -> body.put("query", query(0)));
    maybe(2, () -> body.put("aggs", aggregations(0)));
    maybe(2, () -> body.put("size", size()));
    maybe(5, () -> body.put("from", size()));
    maybe(3, () -> body.put("timeout", pick(List.of("1ms", "5ms", "1s"))));
    maybe(
        4,
        () ->
            body.put(
                "sort", List.of(Map.of(any(), Map.of("order", "desc", "unmapped_type", "long")))));
    maybe(6, () -> body.put("post_filter", query(1)));
    maybe(
        6,
        () ->
            body.put(
                "collapse",
                Map.of(
                    "field",
                    any(),
                    "inner_hits",
                    Map.of("name", "h", "size", pick(List.of(1, 100))))));
    maybe(
        6,
        () ->
            body.put(
                "rescore",
                Map.of("window_size", size(), "query", Map.of("rescore_query", query(1)))));
    maybe(
        6,
        () ->
            body.put(
                "highlight",
                Map.of(
                    "fields",
                    Map.of("*", Map.of("number_of_fragments", size())),
                    "fragment_size",
                    1 + random.nextInt(1000))));
    maybe(8, () -> body.put("terminate_after", 1 + random.nextInt(100)));
    maybe(8, () -> body.put("min_score", random.nextDouble()));
    maybe(8, () -> body.put("profile", true));
    maybe(8, () -> body.put("explain", true));
    maybe(
        8,
        () ->
            body.put(
                "suggest",
                Map.of(
                    "s",
                    Map.of(
                        "text",
                        "wrods",
                        "term",
                        Map.of("field", "t", "size", 1 + random.nextInt(1000))))));
    maybe(8, () -> body.put("docvalue_fields", List.of("*")));
    maybe(8, () -> body.put("slice", Map.of("id", 0, "max", pick(List.of(2, 1024)))));
    return body;
  }

  private void maybe(int oneIn, Runnable part) {
    if (random.nextInt(oneIn) == 0) {
      part.run();
    }
  }

  private <T> T pick(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String any() {
    return pick(FIELDS);
  }

  private int size() {
    return SIZES[random.nextInt(SIZES.length)];
  }

  private Map<String, Object> script() {
    return Map.of("script", Map.of("source", "slow", "lang", "mockscript"));
  }

  private Map<String, Object> query(int depth) {
    return switch (random.nextInt(depth < DEEPEST ? 14 : 10)) {
      case 0 -> Map.of("match_all", Map.of());
      case 1 ->
          Map.of(
              "wildcard",
              Map.of(any(), Map.of("value", "*".repeat(1 + random.nextInt(20)) + "w*d?")));
      case 2 ->
          Map.of(
              "regexp",
              Map.of(any(), Map.of("value", "(w|o|r){1," + pick(List.of(3, 50, 900)) + "}.*")));
      case 3 -> Map.of("terms", Map.of(any(), many(pick(List.of(1, 1000, 70_000)))));
      case 4 -> Map.of("range", Map.of(pick(NUMBERS), Map.of("gte", 0, "lte", Long.MAX_VALUE)));
      case 5 ->
          Map.of(
              "fuzzy",
              Map.of(
                  any(), Map.of("value", "wrods", "max_expansions", pick(List.of(1, 50, 1000)))));
      case 6 ->
          Map.of(
              "query_string",
              Map.of(
                  "query",
                  pick(List.of("*", "w* OR *d", "/w.*/", "(a", "t:*s~ AND n:[0 TO *]")),
                  "fields",
                  List.of(pick(List.of("*", "t")))));
      case 7 -> Map.of("script", script());
      case 8 ->
          Map.of(
              "match_phrase_prefix",
              Map.of("t", Map.of("query", "some w", "max_expansions", pick(List.of(1, 1000)))));
      case 9 ->
          Map.of(
              "more_like_this",
              Map.of(
                  "like",
                  "some words ".repeat(pick(List.of(1, 500))),
                  "min_term_freq",
                  1,
                  "min_doc_freq",
                  1,
                  "max_query_terms",
                  size()));
      case 10 ->
          Map.of(
              "bool",
              Map.of(pick(List.of("filter", "should", "must", "must_not")), queries(depth)));
      case 11 -> Map.of("dis_max", Map.of("queries", queries(depth)));
      case 12 -> Map.of("constant_score", Map.of("filter", query(depth + 1)));
      default ->
          Map.of(
              "function_score",
              Map.of(
                  "query",
                  query(depth + 1),
                  "functions",
                  List.of(Map.of("script_score", script()), Map.of("random_score", Map.of()))));
    };
  }

  private List<Object> queries(int depth) {
    List<Object> queries = new ArrayList<>();
    for (int i = pick(List.of(1, 2, 40)); i > 0; i--) {
      queries.add(query(depth + (i > 2 ? DEEPEST : 1)));
    }
    return queries;
  }

  private static List<Object> many(int n) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      values.add("" + i);
    }
    return values;
  }

  private Map<String, Object> aggregations(int depth) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      all.put("a" + i, aggregation(depth));
    }
    return all;
  }

  private Map<String, Object> aggregation(int depth) {
    Map<String, Object> aggregation = new LinkedHashMap<>();
    boolean bucket = random.nextBoolean();
    if (bucket) {
      bucket(aggregation);
      if (depth < DEEPEST) {
        aggregation.put("aggs", aggregations(depth + 1));
      }
    } else {
      metric(aggregation);
    }
    return aggregation;
  }

  private void bucket(Map<String, Object> into) {
    switch (random.nextInt(12)) {
      case 0 ->
          into.put(
              "terms",
              Map.of(
                  "field",
                  pick(VALUES),
                  "size",
                  size(),
                  "min_doc_count",
                  random.nextInt(2),
                  "collect_mode",
                  pick(List.of("depth_first", "breadth_first"))));
      case 1 ->
          into.put(
              "date_histogram",
              Map.of(
                  "field",
                  "at",
                  "fixed_interval",
                  pick(List.of("1ms", "1s", "1d", "36500d")),
                  "min_doc_count",
                  random.nextInt(2)));
      case 2 ->
          into.put(
              "histogram",
              Map.of(
                  "field",
                  pick(NUMBERS),
                  "interval",
                  pick(List.of(1e-300, 1e-3, 1.0, 1e300)),
                  "min_doc_count",
                  random.nextInt(2)));
      case 3 -> into.put("global", Map.of());
      case 4 ->
          into.put(
              "composite",
              Map.of(
                  "size",
                  size(),
                  "sources",
                  List.of(
                      Map.of("s", Map.of("terms", Map.of("field", pick(VALUES)))),
                      Map.of(
                          "d",
                          Map.of(
                              "date_histogram", Map.of("field", "at", "fixed_interval", "1ms"))))));
      case 5 ->
          into.put(
              "significant_terms", Map.of("field", "host", "size", size(), "min_doc_count", 1));
      case 6 -> into.put("sampler", Map.of("shard_size", size()));
      case 7 -> into.put("auto_date_histogram", Map.of("field", "at", "buckets", size()));
      case 8 ->
          into.put(
              "rare_terms",
              Map.of("field", "id", "max_doc_count", pick(List.of(1, 100)), "precision", 0.00001));
      case 9 -> into.put("filters", Map.of("other_bucket", true, "filters", queries(2)));
      case 10 ->
          into.put(
              "adjacency_matrix",
              Map.of("filters", Map.of("a", query(2), "b", query(2), "c", query(2))));
      default ->
          into.put(
              "variable_width_histogram",
              Map.of("field", pick(NUMBERS), "buckets", size(), "shard_size", size()));
    }
  }

  private void metric(Map<String, Object> into) {
    switch (random.nextInt(9)) {
      case 0 ->
          into.put(
              "percentiles",
              Map.of(
                  "field",
                  pick(NUMBERS),
                  "hdr",
                  Map.of("number_of_significant_value_digits", random.nextInt(7))));
      case 1 ->
          into.put(
              "percentiles",
              Map.of(
                  "field",
                  pick(NUMBERS),
                  "tdigest",
                  Map.of("compression", pick(List.of(1, 100, 1e8)))));
      case 2 ->
          into.put(
              "top_hits",
              Map.of("size", pick(List.of(1, 100, 10_000)), "sort", List.of(pick(VALUES))));
      case 3 ->
          into.put("cardinality", Map.of("field", pick(VALUES), "precision_threshold", size()));
      case 4 ->
          into.put(
              "scripted_metric",
              Map.of(
                  "init_script",
                  script().get("script"),
                  "map_script",
                  script().get("script"),
                  "combine_script",
                  script().get("script"),
                  "reduce_script",
                  script().get("script")));
      case 5 -> into.put("extended_stats", Map.of("field", pick(NUMBERS)));
      case 6 ->
          into.put(
              "percentile_ranks",
              Map.of(
                  "field",
                  pick(NUMBERS),
                  "values",
                  List.of(1, 2),
                  "hdr",
                  Map.of("number_of_significant_value_digits", 5)));
      case 7 ->
          into.put(
              "median_absolute_deviation",
              Map.of("field", pick(NUMBERS), "compression", pick(List.of(1, 1000, 1e9))));
      default -> into.put("value_count", Map.of("field", any()));
    }
  }
}
