package io.millrace.it.hostile;

import static io.millrace.it.hostile.HostileRequest.object;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Requests that ended a node, or kept light searches waiting, before guards knew no kinds. */
enum HeavyKind {
  NOTHING("nobody else", 0),
  DASHBOARDS("50 dashboards over ids", 50),
  EMPTY_BUCKETS("a date_histogram of 1 ms over a day and a half, with empty buckets", 4),
  MULTI_SEARCH("an _msearch of 500 searches for 10,000 hits each", 4),
  TERMS("terms over ids with sub-aggregations", 4),
  COMPOSITE("pages of composite with top_hits", 4),
  WILDCARDS("300 wildcards in one query", 4),
  EXPRESSIONS("regular expressions over ids", 4),
  SCRIPT_LOOP("a script that loops, in script_score", 4),
  SCRIPT_STRINGS("a script that builds strings", 4),
  SCRIPT_SORT("a script as sort, 10,000 hits", 4),
  HIGHLIGHTS("10,000 hits with highlights", 4),
  NESTED("five levels of terms", 4),
  SIGNIFICANT("significant_text over all messages", 4),
  COLLAPSED("inner hits of all hosts, 1,000 groups at once", 4),
  RESCORED("10,000 hits rescored by a script", 4),
  TEMPLATES("an _msearch of 50 templates with nested loops", 4),
  UPDATE_LOOPS("updates with a script that loops for minutes", 4),
  EXPLAIN_LOOPS("explanations of a script that loops for minutes", 4),
  PAINLESS_LOOPS("executions of a script that loops for minutes", 4),
  UPDATE_MAPS("updates with a list of 2,000,000 empty objects", 4),
  SIMULATED_MAPS("simulations of a pipeline for a list of 2,000,000 empty objects", 4),
  IDS("searches for 500,000 ids", 4),
  ALIASES("requests for 20,000 aliases with a filter", 4),
  DELETES("bulks of 100,000 deletions", 4),
  PAINLESS_TEXTS("executions of a script that doubles a text", 4),
  PAINLESS_LISTS("executions of a script that makes lists of 900,000 texts", 4),
  UPDATE_TEXTS("updates with a script that doubles a text", 4),
  FIELD_TEXTS("searches with a script field that doubles a text", 4),
  SIMULATED_TEXTS("simulations of a pipeline with a script that doubles a text", 4);

  private static final String SEARCH = "/" + Choices.INDEX + "/_search?request_cache=false";
  private static final String LOOP =
      "double x = 0; for (int i = 0; i < 20000; i++) { x += Math.sqrt(i) } return 1 + x % 7;";

  /** Each function has a counter of its own, so that no limit of Painless ends this. */
  private static final String MINUTES =
      "double y(int n) { double x = 0; for (int i = 0; i < 900000; i++) { x += Math.sqrt(i) }"
          + " return x } double z = 0; for (int i = 0; i < 100000; i++) { z += y(i) } ";

  /** Within a hundred rounds, where no limit of Painless is. */
  private static final String DOUBLES =
      "String s = 'xxxxxxxx'; for (int i = 0; i < 40; i++) { s = s + s } ";

  private static final String LISTS =
      "List f(int n) { List l = new ArrayList(); for (int i = 0; i < 900000; i++) { l.add('x' + i"
          + " + n) } return l } List a = new ArrayList(); for (int i = 0; i < 10000; i++) {"
          + " a.add(f(i)) } return a.size()";

  private static final String STRINGS =
      "String s = ''; for (int i = 0; i < 300; i++) { s += doc['trace_id'].value } return s.length();";

  private final String text;
  private final int clients;

  HeavyKind(String text, int clients) {
    this.text = text;
    this.clients = clients;
  }

  /** What is asked, for a table. */
  String text() {
    return text;
  }

  /** How many ask. */
  int clients() {
    return clients;
  }

  /** The request; null for the kind that asks nothing. */
  @Nullable HostileRequest request() {
    return switch (this) {
      case NOTHING -> null;
      case MULTI_SEARCH ->
          HostileRequest.lines(
              name(),
              "/" + Choices.INDEX + "/_msearch",
              Collections.nCopies(500, List.of(Map.of(), object("size", 10_000))).stream()
                  .flatMap(List::stream)
                  .toList());
      case TEMPLATES ->
          HostileRequest.lines(
              name(),
              "/" + Choices.INDEX + "/_msearch/template",
              Collections.nCopies(50, List.of(Map.of(), template())).stream()
                  .flatMap(List::stream)
                  .toList());
      case UPDATE_LOOPS -> update(MINUTES + "ctx._source.z = z");
      case UPDATE_TEXTS -> update(DOUBLES + "ctx._source.s = s");
      case EXPLAIN_LOOPS ->
          HostileRequest.of(
              name(),
              "POST",
              "/" + Choices.INDEX + "/_explain/1",
              object("query", scored(MINUTES + "return 1 + z % 7")));
      case PAINLESS_LOOPS -> execution(MINUTES + "return z");
      case PAINLESS_TEXTS -> execution(DOUBLES + "return s.length()");
      case PAINLESS_LISTS -> execution(LISTS);
      case UPDATE_MAPS ->
          HostileRequest.of(
              name(),
              "POST",
              "/" + Choices.SCRATCH + "/_update/1",
              Map.of("doc_as_upsert", true, "doc", maps()));
      case DELETES ->
          HostileRequest.lines(
              name(),
              "/" + Choices.SCRATCH + "/_bulk",
              IntStream.range(0, 100_000)
                  .mapToObj(i -> object("delete", object("_id", "none-" + i)))
                  .toList());
      case ALIASES -> HostileRequest.of(name(), "POST", "/_aliases", Map.of("actions", aliases()));
      case SIMULATED_MAPS -> simulation(object("set", Map.of("field", "z", "value", 1)), maps());
      case SIMULATED_TEXTS ->
          simulation(
              object("script", object("source", DOUBLES + "ctx.s = s")),
              object("@timestamp", Choices.FIRST));
      default -> HostileRequest.of(name(), "POST", SEARCH, body());
    };
  }

  private HostileRequest update(String script) {
    return HostileRequest.of(
        name(),
        "POST",
        "/" + Choices.SCRATCH + "/_update/1?retry_on_conflict=9",
        Map.of(
            "scripted_upsert",
            true,
            "upsert",
            Map.of("@timestamp", Choices.FIRST),
            "script",
            object("source", script)));
  }

  private HostileRequest execution(String script) {
    return HostileRequest.of(
        name(), "POST", "/_scripts/painless/_execute", object("script", object("source", script)));
  }

  private HostileRequest simulation(Map<String, Object> processor, Map<String, Object> source) {
    return HostileRequest.of(
        name(),
        "POST",
        "/_ingest/pipeline/_simulate",
        Map.of(
            "pipeline",
            object("processors", List.of(processor)),
            "docs",
            List.of(object("_source", source))));
  }

  private static Map<String, Object> maps() {
    return Map.of(
        "@timestamp", Choices.FIRST, "a", Collections.nCopies(2_000_000, Map.<String, Object>of()));
  }

  private static List<Map<String, Object>> aliases() {
    return IntStream.range(0, 20_000)
        .mapToObj(i ->
            object(
                "add",
                Map.of(
                    "index",
                    Choices.INDEX,
                    "alias",
                    "hostile-a" + i,
                    "filter",
                    object("term", object("host", "h" + i)))))
        .toList();
  }

  private Map<String, Object> body() {
    return switch (this) {
      case IDS ->
          query(
              object(
                  "ids",
                  object(
                      "values", IntStream.range(0, 500_000).mapToObj(Integer::toString).toList())));
      case DASHBOARDS ->
          aggregation(
              terms("trace_id", 2_000, Map.of("t", object("avg", object("field", "took")))));
      case EMPTY_BUCKETS ->
          aggregation(
              object(
                  "date_histogram",
                  Map.of(
                      "field",
                      "@timestamp",
                      "fixed_interval",
                      "1ms",
                      "min_doc_count",
                      0,
                      "extended_bounds",
                      Map.of("min", Choices.FIRST, "max", Choices.FIRST + 129_600_000))));
      case TERMS ->
          aggregation(
              terms(
                  "trace_id",
                  60_000,
                  Map.of(
                      "p", object("percentiles", object("field", "took")),
                      "c", object("cardinality", object("field", "host")))));
      case COMPOSITE ->
          aggregation(
              Map.of(
                  "composite",
                  Map.of(
                      "size",
                      10_000,
                      "sources",
                      List.of(object("i", object("terms", object("field", "trace_id"))))),
                  "aggs",
                  object("h", object("top_hits", object("size", 10)))));
      case WILDCARDS -> query(object("bool", object("should", patterns("wildcard", "*%d*a*"))));
      case EXPRESSIONS ->
          query(object("bool", object("should", patterns("regexp", ".*[a-f]%d.*"))));
      case SCRIPT_LOOP -> query(scored(LOOP));
      case SCRIPT_STRINGS -> query(scored(STRINGS));
      case SCRIPT_SORT ->
          Map.of(
              "size",
              10_000,
              "sort",
              object("_script", Map.of("type", "number", "script", object("source", STRINGS))));
      case HIGHLIGHTS ->
          Map.of(
              "size",
              10_000,
              "query",
              object("match", object("message", "request failed timeout")),
              "highlight",
              object("fields", object("message", Map.of())));
      case NESTED -> aggregation(nested(List.of("host", "service", "level", "status", "took")));
      case SIGNIFICANT ->
          Map.of(
              "size",
              0,
              "query",
              object("match", object("message", "timeout")),
              "aggs",
              object("s", object("significant_text", Map.of("field", "message", "size", 1_000))));
      case COLLAPSED ->
          Map.of(
              "size",
              10_000,
              "collapse",
              Map.of(
                  "field",
                  "host",
                  "inner_hits",
                  List.of(Map.of("name", "a", "size", 100), Map.of("name", "b", "size", 100)),
                  "max_concurrent_group_searches",
                  1_000));
      case RESCORED ->
          Map.of(
              "size",
              10_000,
              "query",
              object("match_all", Map.of()),
              "rescore",
              Map.of("window_size", 10_000, "query", object("rescore_query", scored(LOOP))));
      case FIELD_TEXTS ->
          Map.of(
              "size",
              1,
              "script_fields",
              object("f", object("script", object("source", DOUBLES + "return s"))));
      case NOTHING,
          MULTI_SEARCH,
          TEMPLATES,
          UPDATE_LOOPS,
          EXPLAIN_LOOPS,
          PAINLESS_LOOPS,
          UPDATE_MAPS,
          SIMULATED_MAPS,
          ALIASES,
          DELETES,
          PAINLESS_TEXTS,
          PAINLESS_LISTS,
          UPDATE_TEXTS,
          SIMULATED_TEXTS ->
          throw new IllegalStateException(name());
    };
  }

  private static Map<String, Object> template() {
    return Map.of(
        "source",
        "{\"size\":0,\"query\":{\"match\":{\"message\":\"{{#l}}{{#l}}{{#l}}{{.}} {{/l}}{{/l}}{{/l}}\"}}}",
        "params",
        object("l", IntStream.range(0, 60).boxed().toList()));
  }

  private static Map<String, Object> aggregation(Map<String, Object> one) {
    return Map.of("size", 0, "aggs", object("a", one));
  }

  private static Map<String, Object> query(Map<String, Object> one) {
    return Map.of("size", 10, "track_total_hits", true, "query", one);
  }

  private static Map<String, Object> terms(String field, int size, Map<String, Object> below) {
    Map<String, Object> terms = Map.of("field", field, "size", size);
    return below.isEmpty() ? object("terms", terms) : Map.of("terms", terms, "aggs", below);
  }

  private static Map<String, Object> nested(List<String> fields) {
    Map<String, Object> below =
        fields.size() == 1 ? Map.of() : object("n", nested(fields.subList(1, fields.size())));
    return terms(fields.getFirst(), 200, below);
  }

  private static Map<String, Object> scored(String script) {
    return object(
        "script_score",
        Map.of("query", object("match_all", Map.of()), "script", object("source", script)));
  }

  private static List<Map<String, Object>> patterns(String query, String pattern) {
    return IntStream.range(0, 300)
        .mapToObj(
            i -> object(query, object("trace_id", object("value", pattern.replace("%d", "" + i)))))
        .toList();
  }
}
