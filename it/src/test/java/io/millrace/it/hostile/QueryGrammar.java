package io.millrace.it.hostile;

import static io.millrace.it.hostile.HostileRequest.object;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;

/** Every kind of query that a node registers, with parameters at their ends. */
final class QueryGrammar {
  private static final int DEEPEST = 4;

  private final Choices choices;
  private final Map<String, IntFunction<Object>> rules = new LinkedHashMap<>();
  private final List<String> names;

  QueryGrammar(Choices choices) {
    this.choices = choices;
    everything();
    terms();
    texts();
    spans();
    compounds();
    scripts();
    places();
    modules();
    names = List.copyOf(rules.keySet());
  }

  /** The kinds that it knows. */
  Set<String> kinds() {
    return Set.copyOf(names);
  }

  /** A query. */
  Map<String, Object> query() {
    return query(0);
  }

  private Map<String, Object> query(int depth) {
    return depth >= DEEPEST || !choices.another()
        ? object("match_all", Map.of())
        : of(names.get(choices.random.nextInt(names.size())), depth);
  }

  /** A query of a kind. */
  Map<String, Object> of(String kind, int depth) {
    return object(kind, Objects.requireNonNull(rules.get(kind), kind).apply(depth + 1));
  }

  private void everything() {
    rules.put("match_all", depth -> Map.of());
    rules.put("match_none", depth -> Map.of());
    rules.put("exists", depth -> object("field", choices.field()));
    rules.put("ids", depth -> object("values", choices.list(choices.listed(), i -> "" + i)));
    rules.put(
        "range",
        depth -> object(choices.column(), Map.of("gte", choices.any("0", "1795000000000"))));
    rules.put(
        "distance_feature",
        depth -> Map.of("field", "@timestamp", "origin", "now", "pivot", choices.any("1ms", "9d")));
    rules.put(
        "wrapper",
        depth ->
            object(
                "query",
                Base64.getEncoder()
                    .encodeToString(HostileRequest.json(query(depth)).getBytes(UTF_8))));
  }

  private void terms() {
    rules.put("term", depth -> keyed("value"));
    rules.put(
        "terms",
        depth -> {
          String field = choices.column();
          return object(field, choices.list(13 * choices.listed(), i -> choices.value(field)));
        });
    rules.put(
        "terms_set",
        depth ->
            object(
                choices.keyword(),
                Map.of(
                    "terms",
                    choices.list(choices.listed(), i -> choices.word()),
                    "minimum_should_match_script",
                    object("source", choices.script("1")))));
    rules.put("prefix", depth -> object(choices.keyword(), choices.any("", "h", "0", "host-1")));
    rules.put(
        "wildcard",
        depth ->
            object(
                choices.any(choices.keyword(), "message"),
                choices.any("*", "*1*", "*?*?*?*?*", "*a".repeat(choices.few()), "?".repeat(300))));
    rules.put(
        "regexp",
        depth ->
            object(
                choices.any(choices.keyword(), "message"),
                choices.any(
                    ".*",
                    ".*1.*2.*3.*",
                    "(a|b|c){1,500}",
                    "(.*a){20}",
                    "[0-9a-f]{32}",
                    "(" + "a?".repeat(100) + "){5}")));
    rules.put(
        "fuzzy",
        depth ->
            object(
                choices.any(choices.keyword(), "message"),
                Map.of(
                    "value",
                    choices.any("host-111", "requst", "0123456789abcdef"),
                    "max_expansions",
                    choices.many(),
                    "prefix_length",
                    0)));
    rules.put(
        "nested", depth -> Map.of("path", "parts", "ignore_unmapped", true, "query", query(depth)));
  }

  private Object keyed(String name) {
    String field = choices.column();
    return object(field, object(name, choices.value(field)));
  }

  private void texts() {
    rules.put("match", depth -> object("message", choices.words(choices.listed())));
    rules.put("match_phrase", depth -> object("message", choices.words(choices.few())));
    rules.put(
        "match_phrase_prefix",
        depth ->
            object(
                "message",
                Map.of("query", "request 1", "max_expansions", choices.many(), "slop", 50)));
    rules.put(
        "combined_fields",
        depth ->
            Map.of("query", choices.words(choices.listed()), "fields", List.of("host", "service")));
    rules.put("match_bool_prefix", depth -> object("message", choices.words(choices.listed())));
    rules.put(
        "multi_match",
        depth ->
            Map.of(
                "query",
                choices.words(choices.listed()),
                "fields",
                List.of("*"),
                "lenient",
                true,
                "type",
                choices.any(
                    "best_fields", "most_fields", "cross_fields", "phrase", "bool_prefix")));
    rules.put("query_string", depth -> strings(choices.listed()));
    rules.put(
        "simple_query_string",
        depth -> Map.of("query", choices.words(choices.listed()), "lenient", true));
    rules.put(
        "more_like_this",
        depth ->
            Map.of(
                "fields",
                List.of("host", "service"),
                "like",
                choices.list(choices.few(), i -> Map.of("_id", "" + i)),
                "max_query_terms",
                choices.many(),
                "min_term_freq",
                1));
    rules.put(
        "intervals",
        depth ->
            object("message", object("match", Map.of("query", choices.words(5), "max_gaps", 99))));
    rules.put(
        "common",
        depth -> object("message", Map.of("query", choices.words(20), "cutoff_frequency", 0.001)));
  }

  private Map<String, Object> strings(int count) {
    return Map.of(
        "query",
        String.join(
            choices.any(" OR ", " AND ", " "),
            Collections.nCopies(
                Math.min(count, 900),
                choices.any("message:*1*", "host:/h.*/", "took:[1 TO 9]", "a~2"))),
        "analyze_wildcard",
        true);
  }

  private Map<String, Object> span() {
    return object("span_term", object("host", "host-1"));
  }

  private void spans() {
    rules.put("span_term", depth -> object("host", "host-1"));
    rules.put("span_or", depth -> object("clauses", choices.list(choices.listed(), i -> span())));
    rules.put(
        "span_near",
        depth ->
            Map.of("clauses", choices.list(choices.few(), i -> span()), "slop", choices.many()));
    rules.put("span_first", depth -> Map.of("match", span(), "end", choices.many()));
    rules.put("span_not", depth -> Map.of("include", span(), "exclude", span()));
    rules.put("span_containing", depth -> Map.of("big", span(), "little", span()));
    rules.put("span_within", depth -> Map.of("big", span(), "little", span()));
    rules.put("span_field_masking", depth -> Map.of("query", span(), "field", "service"));
    rules.put("span_gap", depth -> object("host", choices.many()));
    rules.put(
        "span_multi", depth -> object("match", object("wildcard", object("trace_id", "*1*"))));
  }

  private void compounds() {
    rules.put(
        "bool",
        depth ->
            Map.of(
                choices.any("must", "must_not"),
                choices.list(wide(depth), i -> query(depth)),
                choices.any("should", "filter"),
                choices.list(choices.few(), i -> query(depth))));
    rules.put("dis_max", depth -> object("queries", choices.list(wide(depth), i -> query(depth))));
    rules.put("constant_score", depth -> object("filter", query(depth)));
    rules.put(
        "boosting",
        depth -> Map.of("positive", query(depth), "negative", query(depth), "negative_boost", 0.1));
    rules.put(
        "function_score",
        depth ->
            Map.of(
                "query",
                query(depth),
                "functions",
                choices.list(
                    wide(depth), i -> Map.of("filter", query(depth), "random_score", Map.of()))));
  }

  private int wide(int depth) {
    return depth > 2 ? 2 : choices.any(1, 3, 30, 300);
  }

  private void scripts() {
    rules.put(
        "script",
        depth -> object("script", object("source", choices.script("doc['took'].size() > 0"))));
    rules.put(
        "script_score",
        depth -> Map.of("query", query(depth), "script", object("source", choices.script("1.0"))));
    rules.put("template", depth -> query(depth));
  }

  private void places() {
    Map<String, Object> point = Map.of("lat", 1, "lon", 2);
    rules.put(
        "geo_distance",
        depth -> Map.of("distance", "9999km", "where", point, "ignore_unmapped", true));
    rules.put(
        "geo_bounding_box",
        depth ->
            Map.of(
                "where",
                Map.of("top_left", Map.of("lat", 9, "lon", 0), "bottom_right", point),
                "ignore_unmapped",
                true));
    rules.put(
        "geo_polygon",
        depth ->
            Map.of(
                "where",
                object(
                    "points",
                    choices.list(3 + choices.listed(), i -> Map.of("lat", i % 80, "lon", i % 170))),
                "ignore_unmapped",
                true));
    rules.put(
        "geo_shape",
        depth ->
            Map.of(
                "where",
                object("shape", Map.of("type", "point", "coordinates", List.of(1, 2))),
                "ignore_unmapped",
                true));
  }

  /** What the modules of a node bring. */
  private void modules() {
    rules.put(
        "has_child",
        depth ->
            Map.of(
                "type",
                "line",
                "query",
                query(depth),
                "score_mode",
                choices.any("none", "avg", "sum", "max", "min"),
                "max_children",
                choices.many(),
                "ignore_unmapped",
                true));
    rules.put(
        "has_parent",
        depth ->
            Map.of(
                "parent_type",
                "file",
                "query",
                query(depth),
                "score",
                choices.any(true, false),
                "ignore_unmapped",
                true));
    rules.put(
        "parent_id",
        depth -> Map.of("type", "line", "id", "" + choices.many(), "ignore_unmapped", true));
    rules.put(
        "percolate",
        depth ->
            Map.of(
                "field",
                "alert",
                "documents",
                choices.list(
                    choices.listed(),
                    i -> Map.of("message", choices.words(choices.listed()), "took", i))));
    rules.put(
        "rank_feature",
        depth -> {
          Map<String, Object> query = new LinkedHashMap<>(object("field", "weight"));
          query.putAll(
              choices.any(
                  object("log", object("scaling_factor", 1)),
                  object("saturation", object("pivot", 1)),
                  object("sigmoid", Map.of("pivot", 1, "exponent", 1))));
          return query;
        });
  }
}
