package io.millrace.it.hostile;

import static io.millrace.it.hostile.HostileRequest.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;

/** Requests of the whole API: searches in every form, what writes, and what only looks. */
final class RequestGrammar {
  private static final String SEARCH = "/" + Choices.INDEX + "/_search?request_cache=false";

  private final Choices choices;
  private final QueryGrammar queries;
  private final AggregationGrammar aggregations;
  private final Map<String, Supplier<HostileRequest>> rules = new LinkedHashMap<>();

  /** The rules of this class. */
  private final List<String> own;

  private final List<String> all;

  /** The same seed gives the same requests. */
  RequestGrammar(long seed) {
    choices = new Choices(new Random(seed));
    queries = new QueryGrammar(choices);
    aggregations = new AggregationGrammar(choices, queries);
    searches();
    formsOfSearches();
    documents();
    scripts();
    looks();
    own = List.copyOf(rules.keySet());
    rules.putAll(new ApiGrammar(choices, this::options).rules());
    all = List.copyOf(rules.keySet());
  }

  /** The next request; half of them are searches and aggregations, a quarter any API. */
  synchronized HostileRequest next() {
    List<String> names = choices.oneOf(2) ? own : all;
    return of(
        choices.oneOf(2)
            ? choices.any("query", "aggregations", "options")
            : names.get(choices.random.nextInt(names.size())));
  }

  /** A request by a rule. */
  synchronized HostileRequest of(String rule) {
    choices.begin();
    return Objects.requireNonNull(rules.get(rule), rule).get();
  }

  List<String> rules() {
    return all;
  }

  QueryGrammar queries() {
    return queries;
  }

  AggregationGrammar aggregations() {
    return aggregations;
  }

  private void post(String rule, Supplier<String> path, Supplier<Object> body) {
    rules.put(rule, () -> HostileRequest.of(rule, "POST", path.get(), body.get()));
  }

  private void search(String rule, Supplier<Map<String, Object>> body) {
    post(rule, () -> SEARCH, body::get);
  }

  private Map<String, Object> body(Object... members) {
    Map<String, Object> body = new HashMap<>();
    body.put("query", choices.oneOf(2) ? object("match_all", Map.of()) : queries.query());
    for (int i = 0; i < members.length; i += 2) {
      body.put((String) members[i], members[i + 1]);
    }
    return body;
  }

  private void searches() {
    search("query", () -> object("query", queries.query()));
    search("aggregations", () -> Map.of("size", 0, "aggs", aggregations.aggregations()));
    search("options", this::options);
    search("deep page", () -> body("size", 10_000, "track_total_hits", true));
    search(
        "highlight",
        () ->
            body(
                "size",
                choices.any(10, 1_000, 10_000),
                "highlight",
                Map.of(
                    "type",
                    choices.any("unified", "plain", "fvh"),
                    "number_of_fragments",
                    choices.any(0, 5, 1_000),
                    "fields",
                    object("*", Map.of("highlight_query", queries.query())))));
    search(
        "collapse",
        () ->
            body(
                "collapse",
                Map.of(
                    "field",
                    choices.keyword(),
                    "inner_hits",
                    choices.list(3, i -> Map.of("name", "n" + i, "size", choices.any(1, 100))),
                    "max_concurrent_group_searches",
                    choices.any(1, 1000)),
                "size",
                choices.any(10, 1_000, 10_000)));
    search(
        "suggest",
        () ->
            object(
                "suggest",
                object(
                    "s",
                    Map.of(
                        "text",
                        choices.words(choices.listed()),
                        choices.any("term", "phrase"),
                        object("field", choices.any("message", "host"))))));
  }

  private Map<String, Object> options() {
    Map<String, Object> body = body("size", choices.any(0, 10, 1_000, 10_000));
    Object script = object("source", choices.script("doc['took'].value"));
    switch (choices.random.nextInt(10)) {
      case 0 -> body.put("explain", true);
      case 1 -> body.put("profile", true);
      case 2 ->
          body.put("sort", List.of(object("_script", Map.of("type", "number", "script", script))));
      case 3 ->
          body.put(
              "script_fields",
              Map.of("a", object("script", script), "b", object("script", script)));
      case 4 -> body.put("docvalue_fields", choices.list(100, i -> choices.column()));
      case 5 -> body.put("fields", List.of("*"));
      case 6 ->
          body.put(
              "rescore",
              Map.of("window_size", 10_000, "query", object("rescore_query", queries.query())));
      case 7 -> body.put("post_filter", queries.query());
      case 8 -> body.put("indices_boost", choices.list(500, i -> object(Choices.INDEX, 1.1)));
      default -> body.put("aggs", aggregations.aggregations());
    }
    return body;
  }

  private void formsOfSearches() {
    rules.put(
        "msearch",
        () -> {
          List<Object> lines = new ArrayList<>();
          for (int i = choices.any(10, 100, 500); i > 0; i--) {
            lines.add(object("index", Choices.INDEX));
            lines.add(choices.oneOf(3) ? options() : body("size", 10_000));
          }
          return HostileRequest.lines("msearch", "/_msearch", lines);
        });
    post("count", () -> "/" + Choices.INDEX + "/_count", () -> object("query", queries.query()));
    post(
        "validate",
        () -> "/" + Choices.INDEX + "/_validate/query?explain=true&rewrite=true",
        () -> object("query", queries.query()));
    post(
        "explain",
        () -> "/" + Choices.INDEX + "/_explain/1",
        () -> object("query", queries.query()));
    post("scroll", () -> SEARCH + "&scroll=1m", () -> body("size", choices.any(10, 10_000)));
    post(
        "slices",
        () -> SEARCH + "&scroll=1m",
        () -> body("slice", Map.of("id", 0, "max", choices.any(2, 1_024)), "size", 1_000));
    rules.put(
        "point in time",
        () ->
            HostileRequest.of(
                "point in time",
                "POST",
                "/" + Choices.INDEX + "/_search/point_in_time?keep_alive=1m",
                null));
    post(
        "rank evaluation",
        () -> "/" + Choices.INDEX + "/_rank_eval",
        () ->
            Map.of(
                "requests",
                choices.list(
                    choices.any(1, 100),
                    i ->
                        Map.of(
                            "id", "r" + i,
                            "request", body(),
                            "ratings",
                                List.of(Map.of("_index", Choices.INDEX, "_id", "1", "rating", 1)))),
                "metric",
                object("precision", object("k", 1_000))));
    post(
        "template",
        () -> "/_render/template",
        () ->
            Map.of(
                "source",
                "{{#l}}{{#l}}{{#l}}{{.}}{{/l}}{{/l}}{{/l}}",
                "params",
                object("l", choices.list(choices.any(10, 300), i -> i))));
  }

  private void documents() {
    String scratch = "/" + Choices.SCRATCH;
    rules.put(
        "bulk",
        () -> {
          List<Object> lines = new ArrayList<>();
          for (int i = choices.any(1, 100, 1_000); i > 0; i--) {
            lines.add(object("index", Map.of()));
            lines.add(document());
          }
          return HostileRequest.lines("bulk", scratch + "/_bulk", lines);
        });
    post("document", () -> scratch + "/_doc", this::document);
    post(
        "update by query",
        () -> scratch + "/_update_by_query?conflicts=proceed&timeout=5s",
        () ->
            Map.of(
                "query",
                queries.query(),
                "script",
                object("source", choices.script("0").replace("return 0", "ctx._source.n = 1"))));
    post(
        "reindex",
        () -> "/_reindex?timeout=5s",
        () ->
            Map.of(
                "max_docs",
                choices.any(10, 5_000),
                "source",
                Map.of("index", Choices.INDEX, "query", queries.query()),
                "dest",
                object("index", Choices.SCRATCH)));
    post(
        "delete by query",
        () -> scratch + "/_delete_by_query?conflicts=proceed&timeout=5s",
        () -> object("query", queries.query()));
    post(
        "many gets",
        () -> "/" + Choices.INDEX + "/_mget",
        () -> object("ids", choices.list(choices.any(10, 10_000), i -> "" + i)));
    post(
        "term vectors",
        () -> "/" + Choices.INDEX + "/_termvectors",
        () ->
            Map.of(
                "doc",
                object("message", choices.words(choices.any(10, 100_000))),
                "term_statistics",
                true));
  }

  private Map<String, Object> document() {
    Map<String, Object> document = new HashMap<>();
    document.put("@timestamp", Choices.FIRST);
    switch (choices.random.nextInt(5)) {
      case 0 -> {
        for (int i = choices.listed(); i > 0; i--) {
          document.put("f" + choices.random.nextInt(100_000), choices.word());
        }
      }
      case 1 -> document.put("deep", deep(choices.any(10, 100, 900)));
      case 2 -> document.put("message", choices.words(choices.any(10, 100_000)));
      case 3 -> document.put("message", "x".repeat(choices.any(100, 40_000, 2_000_000)));
      default -> document.put("list", choices.list(choices.any(10, 100_000), i -> i));
    }
    return document;
  }

  private static Object deep(int levels) {
    Object value = "end";
    for (int i = 0; i < levels; i++) {
      value = object("a", value);
    }
    return value;
  }

  private void scripts() {
    post(
        "script",
        () -> "/_scripts/painless/_execute",
        () -> object("script", object("source", choices.script("1"))));
    post(
        "pipeline",
        () -> "/_ingest/pipeline/_simulate",
        () ->
            Map.of(
                "pipeline",
                object("processors", List.of(choices.any(scripted(), grok(), foreach()))),
                "docs",
                choices.list(
                    choices.any(1, 100),
                    i -> object("_source", Map.of("m", "a".repeat(40), "l", List.of(1, 2))))));
    post(
        "analyze",
        () -> "/_analyze",
        () ->
            Map.of(
                "analyzer",
                choices.any("standard", "english", "pattern", "keyword"),
                "explain",
                choices.oneOf(2),
                "text",
                choices.words(choices.any(10, 9_000, 100_000))));
  }

  private Object scripted() {
    return object("script", object("source", choices.script("0").replace("return 0", "ctx.n = 1")));
  }

  private static Object grok() {
    return object("grok", Map.of("field", "m", "patterns", List.of("(%{DATA}a)+(%{DATA}a)+b")));
  }

  private static Object foreach() {
    return object(
        "foreach",
        Map.of("field", "l", "processor", object("append", Map.of("field", "l", "value", "x"))));
  }

  private void looks() {
    for (String path :
        List.of(
            "/_cluster/state",
            "/_nodes/stats",
            "/_nodes/hot_threads?threads=999&snapshots=50&interval=100ms",
            "/_stats?level=shards",
            "/_cat/shards",
            "/_cat/segments",
            "/_cat/fielddata",
            "/*/_field_caps?fields=*",
            "/*/_mapping",
            "/*/_mapping/field/*",
            "/_segments?verbose=true",
            "/_tasks?detailed",
            "/_millrace/stats",
            "/_millrace/searches")) {
      rules.put("GET " + path, () -> HostileRequest.of("GET " + path, "GET", path, null));
    }
  }
}
