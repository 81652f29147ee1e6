package io.millrace.storage.ordinalpostings;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchModule;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.collapse.CollapseBuilder;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.transport.client.Client;

/**
 * Documents with keywords of every kind, and random questions about them as JSON, asked of several
 * indices that must give the same answer: hits, scores, sort values, highlights, buckets.
 */
final class TwinQuestions {
  /** Every parameter of a keyword that changes its terms or its Lucene fields, each in a field. */
  static final String MAPPING =
      """
      {"dynamic": true, "properties": {
        "n": {"type": "integer"},
        "trace_id": {"type": "keyword"},
        "tags": {"type": "keyword"},
        "lower": {"type": "keyword", "normalizer": "lower"},
        "short": {"type": "keyword", "ignore_above": 6},
        "filled": {"type": "keyword", "null_value": "NONE"},
        "scored": {"type": "keyword", "use_similarity": true},
        "split": {"type": "keyword", "split_queries_on_whitespace": true},
        "stored": {"type": "keyword", "store": true},
        "copied": {"type": "keyword", "copy_to": ["all"]},
        "all": {"type": "keyword"},
        "frequencies": {"type": "keyword", "index_options": "freqs"},
        "norms": {"type": "keyword", "norms": true},
        "no_values": {"type": "keyword", "doc_values": false},
        "no_index": {"type": "keyword", "index": false},
        "eager": {"type": "keyword", "eager_global_ordinals": true},
        "text": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
        "alias": {"type": "alias", "path": "trace_id"},
        "objects": {"type": "nested", "properties": {"id": {"type": "keyword"}}}}}
      """;

  private static final List<String> FIELDS =
      List.of(
          "trace_id",
          "tags",
          "lower",
          "short",
          "filled",
          "scored",
          "split",
          "stored",
          "copied",
          "all",
          "frequencies",
          "norms",
          "no_values",
          "no_index",
          "eager",
          "text.raw",
          "alias");

  /** Fields that can be sorted and aggregated on. */
  private static final List<String> VALUES =
      List.of(
          "trace_id", "tags", "lower", "short", "filled", "scored", "stored", "all", "text.raw");

  private final List<String> words = new ArrayList<>();
  private final List<String> documents = new ArrayList<>();

  TwinQuestions(Random random, int size) {
    for (int i = 0; i < size / 4 + 4; i++) {
      words.add(word(random));
    }
    for (int i = 0; i < size; i++) {
      documents.add(document(random, i));
    }
  }

  int size() {
    return documents.size();
  }

  String document(int i) {
    return documents.get(i);
  }

  private static String word(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
      case 1 -> "Req-" + random.nextInt(40);
      case 2 -> "a b " + random.nextInt(9);
      case 3 -> "";
      case 4 -> "Ünïcode-" + Character.toString(0x1F600 + random.nextInt(5));
      default -> Integer.toString(random.nextInt(30), 36);
    };
  }

  private String word(Random random, boolean fresh) {
    return fresh ? word(random) : words.get(random.nextInt(words.size()));
  }

  private String value(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> "null";
      case 1 ->
          "["
              + quoted(word(random, false))
              + ","
              + quoted(word(random, false))
              + ","
              + quoted("x")
              + "]";
      case 2 -> "[]";
      default -> quoted(word(random, random.nextBoolean()));
    };
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private String document(Random random, int n) {
    StringBuilder json = new StringBuilder("{\"n\":").append(n);
    for (String field : FIELDS) {
      if (!field.equals("alias") && !field.equals("text.raw") && random.nextInt(6) > 0) {
        json.append(',').append(quoted(field)).append(':').append(value(random));
      }
    }
    json.append(",\"text\":").append(quoted(word(random, false)));
    json.append(",\"objects\":[");
    for (int i = random.nextInt(3); i >= 0; i--) {
      json.append("{\"id\":").append(quoted(word(random, false))).append(i == 0 ? "}" : "},");
    }
    return json.append("]}").toString();
  }

  /** Asks questions of all indices; the first one's answers are the right ones. */
  void ask(Client client, Random random, int questions, String... indices) throws Exception {
    int found = 0;
    for (int i = 0; i < questions; i++) {
      String query = query(random, 2);
      SearchSourceBuilder source = source(random, query);
      String expected = null;
      for (String index : indices) {
        String answer = answer(client.prepareSearch(index).setSource(source));
        if (expected == null) {
          expected = answer;
          found += answer.contains("hit ") ? 1 : 0;
        }
        assertEquals(index + " to " + source, expected, answer);
      }
    }
    assertTrue("only " + found + " of " + questions + " found anything", found > questions / 4);
    String capabilities = null;
    for (String index : indices) {
      FieldCapabilitiesResponse response = client.prepareFieldCaps(index).setFields("*").get();
      String all = response.get().toString();
      assertEquals(index, capabilities == null ? all : capabilities, all);
      capabilities = all;
    }
  }

  private String term(Random random) {
    return quoted(word(random, random.nextInt(4) == 0));
  }

  private String part(Random random) {
    String word = word(random, false);
    return word.substring(
        0, word.isEmpty() ? 0 : word.offsetByCodePoints(0, word.isBlank() ? 0 : 1));
  }

  private String query(Random random, int depth) {
    String field = FIELDS.get(random.nextInt(FIELDS.size()));
    String f = quoted(field);
    boolean fold = random.nextBoolean();
    return switch (random.nextInt(depth > 0 ? 18 : 15)) {
      case 0 -> "{\"term\":{" + f + ":{\"value\":" + term(random) + "}}}";
      case 1 ->
          "{\"term\":{"
              + f
              + ":{\"value\":"
              + term(random)
              + ",\"case_insensitive\":"
              + fold
              + ",\"boost\":2.5}}}";
      case 2 ->
          "{\"terms\":{"
              + f
              + ":["
              + term(random)
              + ","
              + term(random)
              + ","
              + term(random)
              + "]}}";
      case 3 -> manyTerms(random, f);
      case 4 -> "{\"exists\":{\"field\":" + f + "}}";
      case 5 ->
          "{\"prefix\":{"
              + f
              + ":{\"value\":"
              + quoted(part(random))
              + ",\"case_insensitive\":"
              + fold
              + "}}}";
      case 6 ->
          "{\"wildcard\":{"
              + f
              + ":{\"value\":"
              + quoted(part(random) + "*" + part(random) + "*")
              + ",\"case_insensitive\":"
              + fold
              + "}}}";
      case 7 ->
          "{\"range\":{"
              + f
              + ":{\""
              + (fold ? "gte" : "gt")
              + "\":"
              + term(random)
              + ",\""
              + (random.nextBoolean() ? "lte" : "lt")
              + "\":"
              + term(random)
              + "}}}";
      case 8 ->
          "{\"regexp\":{" + f + ":{\"value\":" + quoted("[a-f0-9]*" + part(random) + ".*") + "}}}";
      case 9 -> "{\"fuzzy\":{" + f + ":{\"value\":" + term(random) + ",\"fuzziness\":1}}}";
      case 10 -> "{\"match\":{" + f + ":{\"query\":" + term(random) + "}}}";
      case 11 -> "{\"match_phrase\":{" + f + ":" + term(random) + "}}";
      case 12 ->
          "{\"query_string\":{\"default_field\":"
              + f
              + ",\"query\":"
              + quoted("Req-" + random.nextInt(40) + " OR a* OR [a TO c]")
              + "}}";
      case 13 ->
          "{\"simple_query_string\":{\"fields\":["
              + f
              + ",\"tags\"],\"query\":"
              + quoted("Req\\-" + random.nextInt(40) + " | a*")
              + "}}";
      case 14 ->
          "{\"nested\":{\"path\":\"objects\",\"query\":{\"term\":{\"objects.id\":"
              + term(random)
              + "}}}}";
      case 15 ->
          "{\"bool\":{\"should\":["
              + query(random, depth - 1)
              + ","
              + query(random, depth - 1)
              + "],\"must_not\":["
              + query(random, 0)
              + "]}}";
      case 16 ->
          "{\"bool\":{\"must\":["
              + query(random, depth - 1)
              + "],\"filter\":["
              + query(random, depth - 1)
              + "]}}";
      default -> "{\"constant_score\":{\"filter\":" + query(random, depth - 1) + ",\"boost\":1.5}}";
    };
  }

  private String manyTerms(Random random, String field) {
    StringBuilder terms = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      terms.append(i == 0 ? "" : ",").append(term(random));
    }
    return "{\"terms\":{" + field + ":[" + terms + "]}}";
  }

  private SearchSourceBuilder source(Random random, String query) throws Exception {
    SearchSourceBuilder source;
    try (var parser =
        JsonXContent.jsonXContent.createParser(
            new NamedXContentRegistry(
                new SearchModule(Settings.EMPTY, List.of()).getNamedXContents()),
            DeprecationHandler.IGNORE_DEPRECATIONS,
            "{\"query\":" + query + "}")) {
      source = SearchSourceBuilder.fromXContent(parser);
    }
    String field = VALUES.get(random.nextInt(VALUES.size()));
    source.size(20).trackTotalHits(true);
    switch (random.nextInt(7)) {
      case 0 -> source.sort(field, random.nextBoolean() ? SortOrder.ASC : SortOrder.DESC);
      case 1 ->
          source.aggregation(
              AggregationBuilders.terms("t")
                  .field(field)
                  .shardSize(
                      10_000) // the error bound tells how many segments were searched at once
                  .size(30)
                  .order(BucketOrder.key(true))
                  .executionHint(random.nextBoolean() ? "map" : "global_ordinals"));
      case 2 -> source.aggregation(AggregationBuilders.cardinality("c").field(field));
      case 3 ->
          source.highlighter(
              new HighlightBuilder()
                  .field("*")
                  .highlighterType("plain") // the unified one asserts that no match is empty
                  .requireFieldMatch(random.nextBoolean()));
      case 4 -> source.collapse(new CollapseBuilder("n")).sort("n");
      case 5 ->
          source
              .aggregation(AggregationBuilders.missing("m").field(field))
              .aggregation(AggregationBuilders.terms("all").field(field).shardSize(10_000));
      default -> source.docValueField(field).fetchField(field).storedField("stored");
    }
    source.sort("_score").sort("n");
    return source;
  }

  /** What an answer says, or the error that it is. */
  private static String answer(SearchRequestBuilder request) throws Exception {
    SearchResponse response;
    try {
      response = request.get(TimeValue.timeValueMinutes(1));
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return "refused: " + cause.getMessage();
    }
    assertEquals(0, response.getFailedShards());
    StringBuilder text = new StringBuilder("total " + response.getHits().getTotalHits());
    for (SearchHit hit : response.getHits()) {
      text.append("\nhit ")
          .append(hit.getId())
          .append(' ')
          .append(hit.getScore())
          .append(' ')
          .append(Arrays.toString(hit.getSortValues()))
          .append(' ')
          .append(new TreeMap<>(hit.getHighlightFields()))
          .append(' ');
      new TreeMap<>(hit.getFields())
          .forEach((name, field) -> text.append(name).append(field.getValues()));
    }
    if (response.getAggregations() != null) {
      try (XContentBuilder json = XContentFactory.jsonBuilder()) {
        json.startObject();
        response.getAggregations().toXContent(json, ToXContent.EMPTY_PARAMS);
        text.append('\n').append(json.endObject());
      }
    }
    return text.toString();
  }
}
