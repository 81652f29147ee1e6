package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Aggregations over ids, templates and messages whose buckets have one order. */
final class TwinAggregations {
  private final Draw draw;
  private final TwinTexts texts;
  private final TwinQueries queries;
  private final Map<String, Supplier<Map<String, Object>>> kinds = new LinkedHashMap<>();

  TwinAggregations(Draw draw, TwinTexts texts, TwinQueries queries) {
    this.draw = draw;
    this.texts = texts;
    this.queries = queries;
    terms();
    others();
  }

  /** The value of {@code aggs}. */
  Map<String, Object> aggregations() {
    Map<String, Object> one = kind();
    if (draw.once(3) && buckets(one)) {
      one.put("aggs", object("inner", kind()));
    }
    return object("a", one);
  }

  private static boolean buckets(Map<String, Object> one) {
    return one.containsKey("terms")
        || one.containsKey("filter")
        || one.containsKey("date_histogram");
  }

  private Map<String, Object> kind() {
    String kind = draw.of(List.copyOf(kinds.keySet()));
    return object(kind, java.util.Objects.requireNonNull(kinds.get(kind), kind).get());
  }

  private void terms() {
    kinds.put(
        "terms",
        () -> {
          String field = draw.once(8) ? queries.text() : queries.keyword();
          Map<String, Object> body = object("field", field, "shard_size", 10_000);
          body.put("size", draw.any(5, 100, 5000));
          draw.with(body, 3, "execution_hint", draw.any("map", "global_ordinals"));
          draw.with(
              body,
              3,
              "order",
              draw.any(object("_key", "asc"), object("_key", "desc"), object("_count", "desc")));
          draw.with(body, 4, "min_doc_count", draw.any(0, 2));
          draw.with(body, 5, "missing", "none");
          draw.with(
              body,
              5,
              "include",
              draw.any(".*a.*", List.of(texts.id(), texts.id()), "[0-9a-f]{16}"));
          draw.with(body, 6, "exclude", draw.any("0.*", List.of(texts.id())));
          if (!body.containsKey("include") && !body.containsKey("exclude")) {
            draw.with(body, 8, "include", object("partition", 1, "num_partitions", 3));
          }
          return body;
        });
    kinds.put(
        "multi_terms",
        () ->
            object(
                "terms",
                List.of(object("field", "trace_id"), object("field", "host")),
                "size",
                1000,
                "shard_size",
                10_000));
    kinds.put(
        "significant_terms",
        () ->
            object(
                "field",
                queries.keyword(),
                "size",
                5000,
                "shard_size",
                10_000,
                "min_doc_count",
                1));
    kinds.put(
        "significant_text",
        () ->
            object(
                "field", queries.text(), "size", 2000, "shard_size", 10_000, "min_doc_count", 1));
    kinds.put("rare_terms", () -> object("field", queries.keyword(), "max_doc_count", 3));
    kinds.put(
        "composite",
        () ->
            object(
                "size",
                draw.any(10, 1000),
                "sources",
                List.of(
                    object(
                        "x",
                        object(
                            "terms",
                            object(
                                "field",
                                queries.keyword(),
                                "missing_bucket",
                                true,
                                "order",
                                draw.any("asc", "desc")))),
                    object(
                        "y",
                        object("terms", object("field", draw.any("trace_id", "n", "host")))))));
  }

  private void others() {
    kinds.put("cardinality", () -> object("field", queries.field()));
    kinds.put("value_count", () -> object("field", queries.field()));
    kinds.put("missing", () -> object("field", queries.field()));
    kinds.put("min", () -> object("field", draw.any("n", "@timestamp", "trace_id")));
    kinds.put("stats", () -> object("field", draw.any("n", "ratio", "message")));
    kinds.put("percentiles", () -> object("field", "n"));
    kinds.put("filter", () -> queries.query());
    kinds.put(
        "filters", () -> object("filters", object("x", queries.query(), "y", queries.query())));
    kinds.put(
        "adjacency_matrix",
        () -> object("filters", object("x", queries.query(), "y", queries.query())));
    kinds.put(
        "date_histogram",
        () ->
            object(
                "field",
                "@timestamp",
                "fixed_interval",
                draw.any("10s", "1m"),
                "min_doc_count",
                0));
    kinds.put("auto_date_histogram", () -> object("field", "@timestamp", "buckets", 10));
    kinds.put("global", Draw::object);
    kinds.put("nested", () -> object("path", "objects"));
    kinds.put(
        "top_hits",
        () ->
            object(
                "size",
                3,
                "sort",
                List.of("order"),
                "docvalue_fields",
                List.of("trace_id"),
                "_source",
                draw.any(true, false, List.of("message", "*_id")),
                "highlight",
                object("fields", object("message", object()))));
    kinds.put(
        "scripted_metric",
        () ->
            object(
                "init_script", "state.s = 0",
                "map_script", "for (t in doc['trace_id']) { state.s += t.length() }",
                "combine_script", "state.s",
                "reduce_script", "long s = 0; for (x in states) { s += x } return s"));
  }
}
