package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Different queries made from sampled documents, so that most of them find something: words and
 * phrases of messages, exact values, ranges, prefixes and wildcards, combinations as dashboards
 * send them, aggregations, sorted pages, fetches of 10 and 100 documents.
 *
 * <p>Every search sorts by the workload's unique order last, else the order of equal hits would be
 * the order of writing and no two runs could be compared. Left out on purpose: percentiles by
 * t-digest and sums of floats, whose last digits depend on the order of segments on stock too.
 */
public final class QueryMix {
  private static final int ATTEMPTS = 40;

  private final AskableFields fields;
  private final List<String> order;
  private final List<JsonNode> samples;
  private final boolean scores;
  private final SplittableRandom random;
  private final Set<String> seen = new LinkedHashSet<>();
  private final List<Query> queries = new ArrayList<>();

  private QueryMix(
      Map<String, Object> mapping,
      List<String> order,
      List<JsonNode> samples,
      boolean scores,
      long seed) {
    this.fields = AskableFields.of(mapping);
    this.order = order;
    this.samples = samples;
    this.scores = scores;
    this.random = new SplittableRandom(seed);
  }

  /**
   * A mix of about {@code count} different queries (fewer where the documents do not give so many).
   *
   * @param mapping the workload's mapping: which field can be asked what
   * @param order fields whose values together are unique
   * @param samples documents of the workload
   * @param scores whether a third of the searches sort by score first
   */
  public static List<Query> of(
      Map<String, Object> mapping,
      List<String> order,
      List<JsonNode> samples,
      boolean scores,
      int count,
      long seed) {
    QueryMix mix = new QueryMix(mapping, order, samples, scores, seed);
    mix.build(count);
    return mix.queries;
  }

  private void build(int count) {
    int share = Math.max(1, count / 20);
    if (!fields.text().isEmpty()) {
      add("match", true, 4 * share, () -> search(20, match(word())));
      add("match-and", true, 2 * share, () -> search(20, matchAll(words(2))));
      add("phrase", true, 2 * share, () -> search(20, phrase(words(3))));
      add(
          "text-prefix",
          true,
          share / 2,
          () -> search(10, prefix(text(), cut(word()).toLowerCase(Locale.ROOT))));
      add("text-wildcard", true, share / 2, () -> search(10, within(text(), cut(word()))));
      add("highlight", true, share / 2, this::highlighted);
    }
    if (!fields.keyword().isEmpty()) {
      add("term", false, 3 * share, () -> search(10, term(keyword())));
      add("terms", false, share, () -> search(10, terms(keyword(), 5)));
      add("wildcard", false, share / 2, () -> search(10, wildcard(keyword())));
      add("keyword-prefix", false, share / 2, () -> search(10, keywordPrefix(keyword())));
      add("conjunction", false, share, () -> search(10, all(List.of(term(keyword()), range()))));
      add("count-term", false, share / 2, () -> count(term(keyword())));
      add("cardinality", false, share / 2, () -> aggregate(range(), cardinality(keyword())));
      add("terms-agg", false, share / 2, () -> aggregate(range(), termsAgg(keyword())));
    }
    if (!fields.number().isEmpty()) {
      add("range", false, share, () -> search(10, range(number(), sample())));
      add("stats-agg", false, share / 2, () -> aggregate(range(), statsAgg(number())));
      add("percentiles", false, share / 2, () -> aggregate(range(), percentiles(number())));
    }
    if (!fields.date().isEmpty()) {
      add("time-range", false, share, () -> search(10, range()));
      add("histogram", false, share / 2, () -> aggregate(range(), histogram()));
      add("count-range", false, share / 2, () -> count(range()));
      add("newest-100", false, share / 2, this::newest);
      if (!fields.keyword().isEmpty()) {
        String keyword = fields.keyword().getFirst();
        add("count-range-term", false, share, () -> count(all(List.of(term(keyword), range()))));
        add("histogram-terms", false, share / 2, () -> aggregate(range(), nested(keyword)));
      }
      add("dashboard", !fields.text().isEmpty(), 2 * share, this::dashboard);
    }
    add(Pages.SCROLL, false, Math.max(share / 10, 3), () -> search(200, range()));
    add(Pages.POINT_IN_TIME, false, Math.max(share / 10, 3), () -> search(200, range()));
    add("fetch-10", false, Math.max(share, 20), () -> fetch(10));
    add("fetch-100", false, Math.max(share / 2, 10), () -> search(100, range()));
    add("fetch-1000", false, Math.max(share / 10, 3), () -> search(1000, range()));
  }

  private void add(String kind, boolean text, int count, Supplier<Map<String, Object>> maker) {
    int made = 0;
    for (int attempt = 0; made < Math.max(1, count) && attempt < count + ATTEMPTS; attempt++) {
      Map<String, Object> body = maker.get();
      if (seen.add(BenchJson.string(body))) {
        queries.add(new Query(kind, text, BenchJson.bytes(body)));
        made++;
      }
    }
  }

  private Map<String, Object> search(int size, Map<String, Object> query) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("size", size);
    body.put("track_total_hits", true);
    body.put("query", query);
    List<Object> sort = new ArrayList<>();
    if (scores && random.nextInt(3) == 0) {
      sort.add(Map.of("_score", "desc"));
    }
    String direction = random.nextBoolean() ? "desc" : "asc";
    order.forEach(field -> sort.add(Map.of(field, direction)));
    if (!sort.isEmpty()) {
      body.put("sort", sort);
    }
    return body;
  }

  private Map<String, Object> aggregate(Map<String, Object> query, Map<String, Object> what) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("size", 0);
    body.put("track_total_hits", true);
    body.put("query", query);
    body.put("aggs", Map.of("a", what));
    return body;
  }

  private static Map<String, Object> count(Map<String, Object> query) {
    return Map.of("size", 0, "track_total_hits", true, "query", query);
  }

  /** The newest hits of a value: the first screen of a page for logs. */
  private Map<String, Object> newest() {
    Map<String, Object> body =
        search(100, fields.keyword().isEmpty() ? range() : term(fields.keyword().getFirst()));
    List<Object> sort = new ArrayList<>();
    sort.add(Map.of(fields.date().getFirst(), "desc"));
    order.forEach(field -> sort.add(Map.of(field, "desc")));
    body.put("sort", sort);
    return body;
  }

  private Map<String, Object> highlighted() {
    Map<String, Object> body = search(10, match(word()));
    body.put("highlight", Map.of("fields", Map.of(text(), Map.of())));
    return body;
  }

  private Map<String, Object> nested(String keyword) {
    Map<String, Object> each = new LinkedHashMap<>(histogram());
    each.put("aggs", Map.of("by", termsAgg(keyword)));
    return each;
  }

  /** What a dashboard asks: the newest hits of a word or value in a time range, and a histogram. */
  private Map<String, Object> dashboard() {
    List<Object> filter = new ArrayList<>();
    filter.add(range());
    if (!fields.keyword().isEmpty()) {
      filter.add(term(fields.keyword().get(random.nextInt(fields.keyword().size()))));
    }
    Map<String, Object> bool = new LinkedHashMap<>();
    if (!fields.text().isEmpty()) {
      bool.put("must", match(word()));
    }
    bool.put("filter", filter);
    Map<String, Object> body = search(50, Map.of("bool", bool));
    body.put("aggs", Map.of("time", histogram()));
    return body;
  }

  /** Documents from random places of the index, found by their unique values. */
  private Map<String, Object> fetch(int documents) {
    String unique = order.isEmpty() ? null : order.getLast();
    if (unique == null) {
      return search(documents, range());
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      values.add(value(sample(), unique));
    }
    return search(documents, Map.of("terms", Map.of(unique, values)));
  }

  private Map<String, Object> match(String word) {
    return Map.of("match", Map.of(text(), word));
  }

  private Map<String, Object> matchAll(List<String> words) {
    return Map.of(
        "match", Map.of(text(), Map.of("query", String.join(" ", words), "operator", "and")));
  }

  private Map<String, Object> phrase(List<String> words) {
    return Map.of("match_phrase", Map.of(text(), String.join(" ", words)));
  }

  private static Map<String, Object> prefix(String field, String start) {
    return Map.of("prefix", Map.of(field, start));
  }

  private static Map<String, Object> all(List<Map<String, Object>> clauses) {
    return Map.of("bool", Map.of("filter", clauses));
  }

  private static Map<String, Object> within(String field, String part) {
    return Map.of("wildcard", Map.of(field, "*" + part.toLowerCase(Locale.ROOT) + "*"));
  }

  private Map<String, Object> keywordPrefix(String field) {
    return prefix(field, cut(String.valueOf(value(sample(), field))));
  }

  /** Exact up to its threshold, and beyond it the same in any order of documents. */
  private static Map<String, Object> cardinality(String field) {
    return Map.of("cardinality", Map.of("field", field, "precision_threshold", 40_000));
  }

  private Map<String, Object> term(String field) {
    return Map.of("term", Map.of(field, value(sample(), field)));
  }

  private Map<String, Object> terms(String field, int count) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(value(sample(), field));
    }
    return Map.of("terms", Map.of(field, values));
  }

  private Map<String, Object> wildcard(String field) {
    String value = String.valueOf(value(sample(), field));
    int cut = Math.min(value.length(), 3 + random.nextInt(4));
    return Map.of("wildcard", Map.of(field, value.substring(0, cut) + "*"));
  }

  private Map<String, Object> range() {
    if (!fields.date().isEmpty()) {
      return range(fields.date().getFirst(), sample());
    }
    return fields.number().isEmpty() ? Map.of("match_all", Map.of()) : range(number(), sample());
  }

  private Map<String, Object> range(String field, JsonNode from) {
    return Map.of("range", Map.of(field, Map.of("gte", value(from, field))));
  }

  /** Of every term, ordered by key: exact on one shard and on many. */
  private static Map<String, Object> termsAgg(String field) {
    return Map.of("terms", Map.of("field", field, "size", 1000, "order", Map.of("_key", "asc")));
  }

  private static Map<String, Object> statsAgg(String field) {
    // minimum and maximum are exact in any order of documents; a sum of floats is not
    return Map.of("max", Map.of("field", field));
  }

  /** By a histogram of values: the same in any order of documents, which a digest is not. */
  private static Map<String, Object> percentiles(String field) {
    return Map.of(
        "percentiles",
        Map.of("field", field, "hdr", Map.of("number_of_significant_value_digits", 3)));
  }

  private Map<String, Object> histogram() {
    String[] intervals = {"10m", "1h", "1d"};
    return Map.of(
        "date_histogram",
        Map.of(
            "field",
            fields.date().getFirst(),
            "fixed_interval",
            intervals[random.nextInt(intervals.length)]));
  }

  private JsonNode sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  private String text() {
    return fields.text().getFirst();
  }

  private String keyword() {
    return fields.keyword().get(random.nextInt(fields.keyword().size()));
  }

  private String number() {
    return fields.number().get(random.nextInt(fields.number().size()));
  }

  private String word() {
    return words(1).getFirst();
  }

  private static String cut(String word) {
    return word.substring(0, Math.min(word.length(), 4));
  }

  /** Neighbouring words of a sampled message. */
  private List<String> words(int count) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Object message = value(sample(), text());
      String[] all = String.valueOf(message).split("[^\\p{Alnum}]+");
      if (all.length > count) {
        int from = random.nextInt(all.length - count);
        List<String> picked = List.of(all).subList(from, from + count);
        if (picked.stream().noneMatch(String::isEmpty)) {
          return picked;
        }
      }
    }
    return List.of("error");
  }

  /** A field's value in a sampled document, as a JSON scalar. */
  private static Object value(JsonNode document, String field) {
    JsonNode node = at(document, field);
    if (node == null || node.isNull()) {
      return "";
    }
    return node.isNumber() ? node.numberValue() : node.asText();
  }

  private static @Nullable JsonNode at(JsonNode document, String field) {
    JsonNode node = document.get(field);
    if (node != null) {
      return node;
    }
    JsonNode inner = document;
    for (String step : field.split("\\.")) {
      inner = inner.path(step);
    }
    return inner.isMissingNode() ? null : inner;
  }
}
