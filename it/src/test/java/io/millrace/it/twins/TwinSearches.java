package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Searches with all that a body may hold, and the other requests that read. */
final class TwinSearches {
  private static final int ALL = 5_000;

  private final Draw draw;
  private final TwinTexts texts;
  private final TwinQueries queries;
  private final TwinAggregations aggregations;
  private final Map<String, Supplier<Object>> options = new LinkedHashMap<>();

  TwinSearches(Draw draw, TwinTexts texts) {
    this.draw = draw;
    this.texts = texts;
    queries = new TwinQueries(draw, texts);
    aggregations = new TwinAggregations(draw, texts, queries);
    options();
  }

  TwinQueries queries() {
    return queries;
  }

  /** The next request; {@code #} stands for the index. */
  TwinRequest next() {
    return switch (draw.below(30)) {
      case 0 -> TwinRequest.of("POST", "/#/_count", object("query", queries.query()));
      case 1 ->
          TwinRequest.of(
              "POST", "/#/_explain/" + TwinRequest.id(draw), object("query", queries.query()));
      case 2 -> TwinRequest.of("POST", "/#/_validate/query", object("query", queries.query()));
      case 3 -> analyze();
      case 4 -> termVectors();
      case 5 ->
          TwinRequest.of(
              "POST",
              "/#/_mget?_source_includes=" + draw.any("*", "message", "*_id,n", "objects.text"),
              object("ids", draw.list(6, () -> TwinRequest.id(draw))));
      case 6 ->
          TwinRequest.of(
              "GET",
              "/#/_doc/"
                  + TwinRequest.id(draw)
                  + draw.any(
                      "",
                      "?realtime=false",
                      "?stored_fields=span_id,message",
                      "?_source_excludes=message",
                      "?_source=message,objects.*",
                      "?refresh=true&stored_fields=_routing"),
              null);
      case 7 -> TwinRequest.of("GET", "/#/_source/" + TwinRequest.id(draw), null);
      case 8 -> multi();
      case 9 -> template();
      default -> TwinRequest.of("POST", "/#/_search", body());
    };
  }

  private Map<String, Object> body() {
    Map<String, Object> body = object("size", ALL, "track_total_hits", true);
    if (!draw.once(15)) {
      body.put("query", queries.query());
    }
    if (draw.once(3)) {
      body.put("size", draw.any(0, 5, 20));
    }
    if (draw.once(2)) {
      body.put("_source", false);
    }
    body.put("sort", List.of(sort(), object("order", "asc")));
    if (draw.once(4)) {
      body.put("size", 0);
      body.put("aggs", aggregations.aggregations());
    }
    for (int i = draw.below(4); i > 0; i--) {
      String option = draw.of(List.copyOf(options.keySet()));
      body.put(option, java.util.Objects.requireNonNull(options.get(option), option).get());
    }
    if (body.containsKey("collapse")) {
      body.remove("rescore");
      body.remove("search_after");
    }
    if (body.containsKey("rescore")) {
      body.put("sort", List.of("_score")); // it takes no other, and leaves ties as they fall
      body.put("size", ALL);
    }
    return body;
  }

  private Object sort() {
    String field =
        draw.any(
            "trace_id",
            "span_id",
            "request_id",
            "short_id",
            "message.template_id",
            "message.raw",
            "host",
            "n",
            "_score",
            "_score",
            "_score",
            "_id",
            "message",
            "alias_trace");
    if (field.startsWith("_")) {
      return object(field, draw.any("asc", "desc"));
    }
    Map<String, Object> sort = object("order", draw.any("asc", "desc"));
    draw.with(sort, 3, "missing", draw.any("_first", "_last"));
    draw.with(sort, 4, "mode", draw.any("min", "max"));
    return object(field, sort);
  }

  private void options() {
    options.put(
        "_source",
        () ->
            draw.any(
                false,
                true,
                "message",
                List.of("*_id", "objects.*"),
                object("excludes", List.of()),
                object("includes", List.of("me*"), "excludes", List.of("*.raw", "n")),
                object("excludes", List.of("message", "objects.text"))));
    options.put(
        "docvalue_fields",
        () ->
            draw.any(
                List.of(object("field", "@timestamp", "format", "date_time"), "trace_id"),
                List.of("*_id", "n"),
                List.of("message.template_id"),
                List.of("message"),
                List.of(
                    object("field", "n", "format", "#.0"),
                    object("field", "nanos", "format", "epoch_millis"))));
    options.put(
        "fields",
        () ->
            draw.any(
                List.of("*"),
                List.of("message", "*_id"),
                List.of("objects.text", "alias_*"),
                List.of(object("field", "@timestamp", "format", "yyyy")),
                List.of("first", "flat.k")));
    options.put(
        "stored_fields",
        () -> draw.any(List.of("*"), "_none_", List.of("span_id", "_source"), List.of("message")));
    options.put(
        "script_fields",
        () ->
            object(
                "s",
                object(
                    "script",
                    object(
                        "source",
                        draw.any(
                            "params._source.message",
                            "params['_source'].get('body')",
                            "doc['trace_id']",
                            "doc['message.template_id']",
                            "params._fields['span_id'].value",
                            "doc['message']")))));
    options.put(
        "derived",
        () ->
            object(
                "d",
                object(
                    "type",
                    "keyword",
                    "script",
                    object(
                        "source",
                        "def x = params._source['host']; if (x instanceof String) emit(x)"))));
    options.put("highlight", this::highlight);
    options.put("explain", () -> true);
    options.put("version", () -> true);
    options.put("seq_no_primary_term", () -> true);
    options.put("track_scores", () -> true);
    options.put("post_filter", queries::query);
    options.put("min_score", () -> 0.5);
    options.put("terminate_after", () -> 100_000);
    options.put("include_named_queries_score", () -> true);
    options.put(
        "collapse",
        () -> {
          Map<String, Object> collapse =
              object("field", draw.any("trace_id", "host", "message.template_id", "n"));
          return draw.with(
              collapse,
              2,
              "inner_hits",
              object(
                  "name",
                  "i",
                  "size",
                  5,
                  "sort",
                  List.of("order"),
                  "_source",
                  draw.any(true, List.of("message"))));
        });
    options.put(
        "rescore",
        () ->
            object(
                "window_size",
                ALL,
                "query",
                object(
                    "rescore_query",
                    queries.query(),
                    "score_mode",
                    draw.any("total", "max", "multiply"))));
    options.put(
        "suggest",
        () ->
            object(
                "text",
                texts.cut(3) + "e",
                "s",
                draw.any(
                    object(
                        "term",
                        object(
                            "field",
                            draw.any("message", "trace_id"),
                            "size",
                            50,
                            "max_term_freq",
                            0.99,
                            "sort",
                            "frequency")),
                    object(
                        "term", object("field", "message", "suggest_mode", "always", "size", 50)),
                    object("phrase", object("field", "message", "max_errors", 2)),
                    object("completion", object("field", "message")))));
    options.put("profile", () -> false);
  }

  private Object highlight() {
    Map<String, Object> body = object("type", draw.any("unified", "plain", "fvh"));
    if (draw.once(3)) {
      body.put("pre_tags", List.of("@opensearch-dashboards-highlighted-field@"));
      body.put("post_tags", List.of("@/opensearch-dashboards-highlighted-field@"));
      body.put("fragment_size", 2147483647);
    }
    draw.with(body, 3, "require_field_match", false);
    draw.with(body, 3, "number_of_fragments", draw.any(0, 1, 3));
    draw.with(body, 4, "order", "score");
    draw.with(body, 4, "no_match_size", 30);
    draw.with(body, 5, "max_analyzer_offset", 1000);
    draw.with(body, 5, "boundary_scanner", draw.any("word", "sentence", "chars"));
    draw.with(body, 5, "encoder", "html");
    draw.with(body, 5, "highlight_query", queries.query());
    body.put(
        "fields", object(draw.any("*", "message", "message", "me*", "trace_id", "body"), object()));
    return body;
  }

  private TwinRequest analyze() {
    return TwinRequest.of(
        "POST",
        "/#/_analyze",
        object(
            "field",
            draw.any("message", "trace_id", "request_id", "body"),
            "text",
            draw.any(texts.message(), texts.hostile()),
            "explain",
            draw.once(3)));
  }

  private TwinRequest termVectors() {
    Map<String, Object> body =
        object(
            "fields",
            List.of(draw.any("message", "trace_id", "*", "body")),
            "field_statistics",
            false,
            "offsets",
            draw.once(2),
            "positions",
            draw.once(2));
    boolean artificial = draw.once(3);
    if (artificial) {
      body.put("doc", object("message", texts.message(), "trace_id", texts.id()));
    }
    return TwinRequest.of(
        "POST", "/#/_termvectors" + (artificial ? "" : "/" + TwinRequest.id(draw)), body);
  }

  private TwinRequest multi() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      lines.add("{\"index\":\"#\",\"ignore_unavailable\":true}");
      lines.add(Draw.json(body()));
    }
    return new TwinRequest(
        "POST", "/_msearch?max_concurrent_shard_requests=3", String.join("\n", lines) + "\n");
  }

  private TwinRequest template() {
    return TwinRequest.of(
        "POST",
        "/#/_search/template",
        object(
            "source",
            "{\"size\":2000,\"sort\":[\"order\"],\"query\":{\"match_phrase\":{\"message\":\"{{q}}\"}}}",
            "params",
            object("q", texts.cut(3))));
  }
}
