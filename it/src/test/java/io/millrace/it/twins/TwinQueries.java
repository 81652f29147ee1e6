package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Every kind of query over the fields of {@link TwinIndices}, with parameters of every kind. */
final class TwinQueries {
  private static final int DEEPEST = 2;

  private final Draw draw;
  private final TwinTexts texts;
  private final TwinSpans spans;
  private final Map<String, Supplier<Object>> leaves = new LinkedHashMap<>();
  private final Map<String, Supplier<Object>> compounds = new LinkedHashMap<>();
  private int depth;

  TwinQueries(Draw draw, TwinTexts texts) {
    this.draw = draw;
    this.texts = texts;
    spans = new TwinSpans(draw, texts);
    terms();
    words();
    new TwinStrings(draw, texts, this).addTo(leaves);
    others();
    compounds();
  }

  Set<String> kinds() {
    Set<String> kinds = new java.util.TreeSet<>(leaves.keySet());
    kinds.addAll(compounds.keySet());
    kinds.addAll(TwinSpans.KINDS);
    return kinds;
  }

  /** A query. */
  Map<String, Object> query() {
    if (draw.once(12)) {
      return spans.query();
    }
    boolean leaf = depth >= DEEPEST || !draw.once(4);
    return of(draw.of(List.copyOf((leaf ? leaves : compounds).keySet())));
  }

  /** A query of a kind. */
  Map<String, Object> of(String kind) {
    if (TwinSpans.KINDS.contains(kind)) {
      return spans.of(kind);
    }
    Supplier<Object> rule = leaves.containsKey(kind) ? leaves.get(kind) : compounds.get(kind);
    depth++;
    try {
      return object(kind, java.util.Objects.requireNonNull(rule, kind).get());
    } finally {
      depth--;
    }
  }

  String text() {
    return draw.any("message", "message", "message", "body", "alias_message", "copies");
  }

  String keyword() {
    return draw.any(
        "trace_id",
        "trace_id",
        "span_id",
        "request_id",
        "short_id",
        "filled_id",
        "parent.trace_id",
        "alias_trace",
        "host",
        "message.raw",
        "message.template_id",
        "flat.k",
        "flat");
  }

  String field() {
    return draw.once(3) ? keyword() : text();
  }

  private String value(String field) {
    return switch (field) {
      case "message", "body", "alias_message", "copies" -> texts.token();
      case "host" -> "host-" + draw.below(9);
      case "message.raw" -> texts.written();
      default -> texts.id();
    };
  }

  static String head(String value, int points) {
    int length = Math.min(points, value.codePointCount(0, value.length()));
    return value.substring(0, value.offsetByCodePoints(0, length));
  }

  private Map<String, Object> keyed(String name, Object value, String field) {
    Map<String, Object> body = object(name, value);
    draw.with(body, 6, "boost", draw.any(2.5, 0.0, 1.0));
    return object(field, body);
  }

  private Map<String, Object> multi(String field, String value) {
    Map<String, Object> body = object("value", value);
    draw.with(body, 3, "case_insensitive", true);
    draw.with(
        body,
        6,
        "rewrite",
        draw.any("constant_score", "constant_score_boolean", "scoring_boolean", "top_terms_20"));
    return object(field, body);
  }

  private void terms() {
    leaves.put(
        "term",
        () -> {
          String field = field();
          Map<String, Object> body = object("value", value(field));
          return object(field, draw.with(body, 3, "case_insensitive", true));
        });
    leaves.put(
        "terms",
        () -> {
          String field = field();
          return draw.once(8)
              ? object(
                  field, object("index", "lookup", "id", "1", "path", draw.any("ids", "words")))
              : object(field, draw.list(draw.any(1, 3, 70), () -> value(field)));
        });
    leaves.put(
        "terms_set",
        () -> {
          String field = field();
          return object(
              field,
              object(
                  "terms",
                  draw.list(3, () -> value(field)),
                  "minimum_should_match_script",
                  object("source", "Math.min(params.num_terms, 2)")));
        });
    leaves.put(
        "exists", () -> object("field", draw.any(field(), "parent", "objects", "flat.k", "*")));
    leaves.put(
        "prefix",
        () -> {
          String field = field();
          return multi(field, head(value(field), draw.below(6)));
        });
    leaves.put(
        "wildcard",
        () -> {
          String field = field();
          String value = head(value(field), 6);
          return multi(
              field,
              draw.any("*" + value + "*", value + "*", "?" + value + "?*", "*", "\\*" + value));
        });
    leaves.put(
        "regexp",
        () -> {
          String field = field();
          String value = head(value(field), 4).replaceAll("([^\\p{L}\\p{N}])", "\\\\$1");
          Map<String, Object> body =
              object(
                  "value",
                  draw.any(
                      ".*" + value + ".*",
                      value + "[a-z0-9]*",
                      "<0-20>",
                      "~(" + value + ")",
                      "@&~(.*" + value + ".*)",
                      "(" + value + "|1.?)+",
                      "#"));
          draw.with(body, 3, "flags", draw.any("ALL", "NONE", "INTERVAL", "COMPLEMENT|ANYSTRING"));
          draw.with(body, 3, "case_insensitive", true);
          return object(field, body);
        });
    leaves.put(
        "fuzzy",
        () -> {
          String field = field();
          String value = head(value(field), 20);
          Map<String, Object> body = object("value", draw.once(2) ? value : value + "e");
          draw.with(body, 2, "fuzziness", draw.any("AUTO", "0", "1", "2", "AUTO:2,4"));
          draw.with(body, 3, "transpositions", false);
          draw.with(body, 3, "prefix_length", 1);
          body.put("max_expansions", 1000);
          return object(field, body);
        });
    leaves.put(
        "range",
        () -> {
          String field = draw.any(field(), field(), "@timestamp", "n", "ratio", "ip");
          Supplier<Object> bound =
              () ->
                  switch (field) {
                    case "@timestamp" -> draw.any("2026-11-25T00:00:10Z", "now", "2026-11-25||/d");
                    case "n", "ratio" -> draw.below(900);
                    case "ip" -> draw.any("10.0.0.3", "::1", "2001:db8::1");
                    default -> head(value(field), 20);
                  };
          Map<String, Object> body = object(draw.any("gt", "gte"), bound.get());
          return object(field, draw.with(body, 2, draw.any("lt", "lte"), bound.get()));
        });
  }

  private void words() {
    leaves.put("match", this::match);
    leaves.put(
        "match_phrase",
        () -> {
          Map<String, Object> body = object("query", texts.cut(5));
          draw.with(body, 5, "slop", draw.below(4));
          draw.with(body, 8, "analyzer", draw.any("standard", "keyword", "whitespace"));
          return object(field(), draw.with(body, 8, "zero_terms_query", "all"));
        });
    leaves.put(
        "match_phrase_prefix",
        () -> {
          Map<String, Object> body = object("query", texts.cut(4));
          draw.with(body, 5, "slop", draw.below(4));
          body.put("max_expansions", 1000);
          return object(text(), draw.with(body, 8, "zero_terms_query", "all"));
        });
    leaves.put(
        "match_bool_prefix",
        () -> {
          Map<String, Object> body = object("query", texts.cut(4));
          draw.with(body, 4, "operator", "and");
          return object(text(), draw.with(body, 4, "fuzziness", "AUTO"));
        });
    leaves.put(
        "combined_fields", () -> object("query", texts.cut(4), "fields", List.of(text(), "title")));
    leaves.put(
        "multi_match",
        () -> {
          Map<String, Object> body = object("query", texts.cut(4));
          body.put(
              "type",
              draw.any(
                  "best_fields",
                  "most_fields",
                  "cross_fields",
                  "phrase",
                  "phrase_prefix",
                  "bool_prefix"));
          body.put("fields", draw.once(4) ? List.of("*") : List.of(text(), field() + "^2", "me*"));
          draw.with(body, 2, "lenient", true);
          draw.with(body, 4, "operator", "and");
          draw.with(body, 4, "tie_breaker", 0.3);
          return draw.with(body, 6, "slop", 1);
        });
    leaves.put(
        "common",
        () ->
            object(text(), object("query", texts.cut(6), "cutoff_frequency", draw.any(0.01, 2.0))));
    leaves.put(
        "more_like_this",
        () ->
            object(
                "fields",
                List.of(draw.any("title", text())),
                "like",
                texts.cut(9),
                "min_term_freq",
                1,
                "min_doc_freq",
                1));
  }

  private Object match() {
    Map<String, Object> body = object("query", draw.once(10) ? draw.below(50) : texts.cut(6));
    draw.with(body, 3, "operator", draw.any("and", "or"));
    draw.with(body, 4, "minimum_should_match", draw.any("2", "60%", "-1", "2<75%"));
    draw.with(body, 5, "fuzziness", draw.any("AUTO", 1, 2));
    draw.with(body, 8, "fuzzy_transpositions", false);
    draw.with(body, 8, "prefix_length", 2);
    draw.with(body, 5, "zero_terms_query", draw.any("all", "none"));
    draw.with(body, 8, "analyzer", draw.any("standard", "whitespace", "millrace_log", "stop"));
    draw.with(body, 8, "auto_generate_synonyms_phrase_query", false);
    draw.with(body, 8, "lenient", true);
    return object(field(), body);
  }

  private void others() {
    leaves.put("match_all", Draw::object);
    leaves.put("match_none", Draw::object);
    leaves.put("ids", () -> object("values", draw.list(5, () -> "d" + draw.below(300))));
    leaves.put(
        "distance_feature",
        () -> object("field", "@timestamp", "origin", "2026-11-25T00:01:00Z", "pivot", "1m"));
    leaves.put(
        "percolate",
        () ->
            object(
                "field",
                "stored",
                "document",
                object("message", texts.message(), "trace_id", texts.id())));
    leaves.put(
        "script",
        () ->
            object(
                "script",
                object(
                    "source",
                    draw.any(
                        "doc['trace_id'].size() > 1",
                        "doc['n'].size() > 0 && doc['n'].value % 7 == 1",
                        "doc['message.template_id'].size() > 0 && doc['message.template_id'].value < '8'",
                        "doc['span_id'].size() > 0 && doc['span_id'].value.length() == 16",
                        "doc['message'].size() > 0"))));
    leaves.put(
        "script_score",
        () ->
            object(
                "query",
                object("match", match()),
                "script",
                object(
                    "source",
                    draw.any(
                        "_score * 2", "doc['n'].size() == 0 ? 0 : Math.abs(doc['n'].value)"))));
  }

  private void compounds() {
    compounds.put(
        "bool",
        () -> {
          Map<String, Object> body = object();
          for (String part : List.of("must", "should", "filter", "must_not")) {
            if (draw.once(2)) {
              body.put(part, draw.list(1 + draw.below(2), this::query));
            }
          }
          return draw.with(body, 4, "minimum_should_match", 1);
        });
    compounds.put(
        "dis_max", () -> object("queries", draw.list(2, this::query), "tie_breaker", 0.4));
    compounds.put("constant_score", () -> object("filter", query(), "boost", 1.5));
    compounds.put(
        "boosting", () -> object("positive", query(), "negative", query(), "negative_boost", 0.2));
    compounds.put(
        "nested",
        () -> {
          List<Object> inner = new ArrayList<>();
          inner.add(
              draw.any(
                  object("term", object("objects.trace_id", texts.id())),
                  object("match", object("objects.text", texts.cut(3))),
                  object("prefix", object("objects.text", texts.part())),
                  object("exists", object("field", "objects.trace_id"))));
          Map<String, Object> body =
              object("path", "objects", "query", object("bool", object("should", inner)));
          return draw.with(
              body,
              3,
              "inner_hits",
              object("size", 10, "docvalue_fields", List.of("objects.trace_id")));
        });
    compounds.put(
        "function_score",
        () ->
            object(
                "query",
                query(),
                "functions",
                List.of(
                    object("filter", query(), "weight", 3),
                    object(
                        "field_value_factor",
                        object("field", "n", "missing", 1, "modifier", "log1p"))),
                "boost_mode",
                draw.any("sum", "multiply", "replace")));
    compounds.put(
        "wrapper",
        () ->
            object(
                "query",
                Base64.getEncoder()
                    .encodeToString(Draw.json(query()).getBytes(StandardCharsets.UTF_8))));
  }
}
