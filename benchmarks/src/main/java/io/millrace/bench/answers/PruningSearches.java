package io.millrace.bench.answers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The searches that time pruning plans anew, and some that it must leave alone, for a window of
 * time: wide and narrow ones, beside frequent and rare terms, and alone.
 */
final class PruningSearches {
  static final String TIME = "@timestamp";

  /** Behind every document. */
  static final long YEAR = 365L * 24 * 60 * 60 * 1000;

  private static final String RARE = "trace_id";

  /** A search for documents from a time on to another, in milliseconds since 1970. */
  interface Body {
    Map<String, Object> of(long from, long to);
  }

  /**
   * @param what the search, for the table
   * @param percent of all time: the length of the windows
   */
  record Case(String what, double percent, Body body) {}

  /**
   * A search that stock can answer from the boundaries of its range.
   *
   * @param eachDocument the same, asked so that every document is looked at
   */
  record Scan(String what, Body eachDocument, Body byBoundaries) {}

  private final String term;
  private final List<Object> terms;
  private final List<Object> rare;

  /**
   * @param term a field, with its frequent terms
   * @param rare values of {@code trace_id}; none where the index has no such field
   */
  PruningSearches(String term, List<Object> terms, List<Object> rare) {
    this.term = term;
    this.terms = terms;
    this.rare = rare;
  }

  /** Every search. */
  List<Case> all() {
    List<Case> cases = new ArrayList<>();
    for (double percent : new double[] {0.1, 1, 5, 25, 50, 75, 100}) {
      cases.add(new Case("count of range and term", percent, this::rangeAndTerm));
    }
    if (!rare.isEmpty()) {
      cases.add(new Case("count of range and rare terms", 50, this::rangeAndRare));
    }
    cases.add(new Case("count of nothing", 25, (from, to) -> rangeAndTerm(from + YEAR, to + YEAR)));
    cases.add(new Case("count of range and not a term", 25, this::rangeAndNot));
    cases.add(new Case("newest 100 of range and term", 25, this::newest));
    cases.add(new Case("newest 100 of a term", 100, (from, to) -> newest(oneTerm(from))));
    for (double percent : new double[] {0.1, 5, 50, 100}) {
      cases.add(new Case("count of a range", percent, (from, to) -> count(range(from, to))));
    }
    cases.addAll(aggregations());
    return cases;
  }

  /** Those whose plan may depend on the order of the index. */
  List<Case> ofSorted() {
    List<Case> cases = new ArrayList<>();
    for (double percent : new double[] {1, 25, 100}) {
      cases.add(new Case("count of range and term", percent, this::rangeAndTerm));
    }
    cases.add(new Case("newest 100 of range and term", 25, this::newest));
    cases.add(new Case("newest 100 of a term", 100, (from, to) -> newest(oneTerm(from))));
    cases.add(new Case("count of a range", 25, (from, to) -> count(range(from, to))));
    cases.addAll(aggregations());
    return cases;
  }

  private List<Case> aggregations() {
    Map<String, Object> byTerm = Map.of("terms", Map.of("field", term));
    List<Case> cases = new ArrayList<>();
    for (double percent : new double[] {1, 50}) {
      cases.add(
          new Case(
              "histogram of a range",
              percent,
              (from, to) -> aggregated(range(from, to), histogram())));
      cases.add(
          new Case(
              "histogram of a filter by range",
              percent,
              (from, to) -> aggregated(filter(range(from, to)), histogram())));
      cases.add(
          new Case(
              "histogram of a range in local time",
              percent,
              (from, to) -> aggregated(range(from, to), localHistogram())));
      cases.add(
          new Case("terms of a range", percent, (from, to) -> aggregated(range(from, to), byTerm)));
    }
    return cases;
  }

  private Map<String, Object> rangeAndTerm(long from, long to) {
    return count(filter(range(from, to), oneTerm(from)));
  }

  private Map<String, Object> rangeAndRare(long from, long to) {
    return count(filter(range(from, to), Map.of("terms", Map.of(RARE, rare))));
  }

  private Map<String, Object> rangeAndNot(long from, long to) {
    return count(
        Map.of(
            "bool",
            Map.of("filter", List.of(range(from, to)), "must_not", List.of(oneTerm(from)))));
  }

  private Map<String, Object> newest(long from, long to) {
    return newest(range(from, to), oneTerm(from));
  }

  @SafeVarargs
  private static Map<String, Object> newest(Map<String, Object>... clauses) {
    Map<String, Object> body = new HashMap<>(count(filter(clauses)));
    body.put("size", 100);
    body.put("track_total_hits", false);
    body.put("_source", false);
    body.put("sort", List.of(Map.of(TIME, "desc")));
    return body;
  }

  /** A count, and a date histogram. */
  static List<Scan> scans() {
    // a least score, and a value for documents without one, keep stock from its short ways
    Map<String, Object> values =
        Map.of("field", TIME, "fixed_interval", "10m", "missing", "1970-01-01T00:00:00Z");
    return List.of(
        new Scan(
            "count of a range",
            (from, to) -> {
              Map<String, Object> body = new HashMap<>(count(range(from, to)));
              body.put("min_score", 0);
              return body;
            },
            (from, to) -> count(range(from, to))),
        new Scan(
            "date histogram of a range",
            (from, to) -> aggregated(range(from, to), Map.of("date_histogram", values)),
            (from, to) -> aggregated(range(from, to), histogram())));
  }

  /** The 100 minutes before a time and their terms. */
  Map<String, Object> compositePage(long from, long to) {
    Map<String, Object> minute =
        Map.of("date_histogram", Map.of("field", TIME, "fixed_interval", "1m", "order", "desc"));
    Map<String, Object> terms = Map.of("terms", Map.of("field", term));
    Map<String, Object> composite =
        Map.of(
            "size",
            500,
            "sources",
            List.of(Map.of("t", minute), Map.of("k", terms)),
            "after",
            Map.of("t", to - Math.floorMod(to, 60_000L), "k", ""));
    Map<String, Object> body = new HashMap<>();
    body.put("size", 0);
    body.put("track_total_hits", false);
    body.put("aggs", Map.of("a", Map.of("composite", composite)));
    return body;
  }

  private Map<String, Object> oneTerm(long from) {
    return Map.of("term", Map.of(term, terms.get(Math.floorMod(from, terms.size()))));
  }

  private static Map<String, Object> histogram() {
    return Map.of("date_histogram", Map.of("field", TIME, "fixed_interval", "10m"));
  }

  private static Map<String, Object> localHistogram() {
    return Map.of(
        "date_histogram",
        Map.of("field", TIME, "fixed_interval", "10m", "time_zone", "Europe/Berlin"));
  }

  @SafeVarargs
  private static Map<String, Object> filter(Map<String, Object>... clauses) {
    return Map.of("bool", Map.of("filter", List.of(clauses)));
  }

  private static Map<String, Object> count(Map<String, Object> query) {
    return Map.of("size", 0, "track_total_hits", true, "query", query);
  }

  private static Map<String, Object> aggregated(
      Map<String, Object> query, Map<String, Object> aggregation) {
    Map<String, Object> body = new HashMap<>(count(query));
    body.put("aggs", Map.of("a", aggregation));
    return body;
  }

  static Map<String, Object> range(long from, long to) {
    return Map.of("range", Map.of(TIME, Map.of("gte", from, "lt", to, "format", "epoch_millis")));
  }
}
