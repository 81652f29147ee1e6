package io.millrace.write.logtext;

import static io.millrace.write.logtext.LogTextEqualsMatchOnlyTextNodeTests.OURS;
import static org.opensearch.index.query.QueryBuilders.spanFirstQuery;
import static org.opensearch.index.query.QueryBuilders.spanMultiTermQueryBuilder;
import static org.opensearch.index.query.QueryBuilders.spanNearQuery;
import static org.opensearch.index.query.QueryBuilders.spanNotQuery;
import static org.opensearch.index.query.QueryBuilders.spanOrQuery;
import static org.opensearch.index.query.QueryBuilders.spanTermQuery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.IntervalMode;
import org.opensearch.index.query.IntervalQueryBuilder;
import org.opensearch.index.query.IntervalsSourceProvider;
import org.opensearch.index.query.IntervalsSourceProvider.Combine;
import org.opensearch.index.query.IntervalsSourceProvider.Disjunction;
import org.opensearch.index.query.IntervalsSourceProvider.IntervalFilter;
import org.opensearch.index.query.IntervalsSourceProvider.Match;
import org.opensearch.index.query.IntervalsSourceProvider.Prefix;
import org.opensearch.index.query.PrefixQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.SpanNearQueryBuilder;
import org.opensearch.index.query.SpanQueryBuilder;
import org.opensearch.index.query.WildcardQueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Metamorphic: the same documents in a {@code log_text} field and in a {@code text} field with the
 * same analyzers, which has positions; the same random trees of intervals and of spans, the same
 * hits.
 */
public class LogTextPositionsNodeTests extends OpenSearchSingleNodeTestCase {
  static final String TEXT =
      "{\"properties\":{\"message\":{\"type\":\"text\",\"analyzer\":\"millrace_log_words\","
          + "\"search_analyzer\":\"millrace_log_search\","
          + "\"search_quote_analyzer\":\"millrace_log_parts\"}}}";

  private static final int DOCUMENTS = Integer.getInteger("millrace.positions.documents", 1_500);
  private static final int QUERIES = Integer.getInteger("millrace.positions.queries", 400);

  private List<String> messages = List.of();

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LogTextEqualsMatchOnlyTextNodeTests.Host.class);
  }

  private void create(String index, String mapping) {
    Settings settings =
        Settings.builder()
            .put("index.number_of_shards", 1)
            .put("index.refresh_interval", "-1")
            .build();
    client().admin().indices().prepareCreate(index).setSettings(settings).setMapping(mapping).get();
  }

  private void fill(String index, long seed) {
    Random random = new Random(seed);
    for (int from = 0; from < messages.size(); from += 97) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = from; i < Math.min(from + 97, messages.size()); i++) {
        Object value =
            random.nextInt(8) == 0
                ? List.of(messages.get(i), messages.get(random.nextInt(messages.size())))
                : messages.get(i);
        bulk.add(client().prepareIndex(index).setId("" + i).setSource(Map.of("message", value)));
        if (random.nextInt(20) == 0) {
          bulk.add(client().prepareDelete(index, "" + random.nextInt(i + 1)));
        }
      }
      assertFalse(bulk.get().hasFailures());
      if (random.nextInt(3) == 0) {
        client().admin().indices().prepareRefresh(index).get();
      }
    }
    client().admin().indices().prepareRefresh(index).get();
  }

  private Map<String, Float> hits(String index, QueryBuilder query) {
    SearchResponse response =
        client().prepareSearch(index).setQuery(query).setSize(10_000).setTrackTotalHits(true).get();
    assertEquals(0, response.getFailedShards());
    Map<String, Float> hits = new TreeMap<>();
    for (SearchHit hit : response.getHits()) {
      hits.put(hit.getId(), hit.getScore());
    }
    assertEquals(hits.size(), response.getHits().getTotalHits().value());
    return hits;
  }

  public void testRandomTreesFindWhatTheyFindInText() {
    long seed = randomLong();
    Random random = new Random(seed);
    messages = LogLines.corpus(random, DOCUMENTS);
    create("ours", OURS);
    create("text", TEXT);
    fill("ours", seed);
    fill("text", seed);
    int found = ask(random, QUERIES);
    for (String index : List.of("ours", "text")) {
      client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
      client().admin().indices().prepareRefresh(index).get();
    }
    found += ask(random, QUERIES / 4);
    assertTrue("many must find something: " + found, found > QUERIES / 4);
  }

  public void testAValueWithoutTokensLeavesItsGap() {
    create("ours", OURS);
    create("text", TEXT);
    List<List<String>> values =
        List.of(
            List.of("one two", "three"),
            List.of("", "one two", "three"),
            List.of("... !?", "\u0000", "one"),
            List.of("one", "", "-", "two three"),
            List.of("one", "two", ""));
    for (String index : List.of("ours", "text")) {
      for (int i = 0; i < values.size(); i++) {
        client()
            .prepareIndex(index)
            .setId("" + i)
            .setSource(Map.of("message", values.get(i)))
            .get();
      }
      client().admin().indices().prepareRefresh(index).get();
    }
    int found = 0;
    for (String word : List.of("one", "two", "three")) {
      for (int end : new int[] {1, 2, 100, 101, 102, 103, 201, 202, 203, 300, 301, 302, 303}) {
        QueryBuilder query = spanFirstQuery(spanTermQuery("message", word), end);
        Map<String, Float> expected = hits("text", query);
        assertEquals(query.toString(), expected.keySet(), hits("ours", query).keySet());
        found += expected.size();
      }
    }
    assertTrue("" + found, found > 20);
  }

  private int ask(Random random, int queries) {
    int found = 0;
    for (int i = 0; i < queries; i++) {
      boolean intervals = random.nextInt(3) > 0;
      QueryBuilder query =
          intervals ? new IntervalQueryBuilder("message", interval(random, 3)) : span(random, 3);
      Object expected = answer("text", query, intervals);
      assertEquals(query.toString(), expected, answer("ours", query, intervals));
      found += expected instanceof String || expected.equals(Map.of()) ? 0 : 1;
    }
    return found;
  }

  /**
   * Hits, or what the search was refused for.
   *
   * @param scores whether they count: those of intervals come of widths, those of spans of
   *     frequencies
   */
  private Object answer(String index, QueryBuilder query, boolean scores) {
    try {
      Map<String, Float> hits = hits(index, query);
      hits.replaceAll((id, score) -> scores ? score : 0);
      return hits;
    } catch (SearchPhaseExecutionException e) {
      return e.guessRootCauses()[0].getMessage();
    }
  }

  /** Neighbouring words of a message, in its order or not, so that many searches find something. */
  private String words(Random random, int most) {
    if (random.nextInt(6) == 0) {
      return LogLines.word(random);
    }
    String[] all = messages.get(random.nextInt(messages.size())).split("\\s+");
    int count = 1 + random.nextInt(Math.min(most, all.length));
    int from = random.nextInt(all.length - count + 1);
    List<String> words = new ArrayList<>(List.of(all).subList(from, from + count));
    if (random.nextInt(4) == 0) {
      java.util.Collections.shuffle(words, random);
    }
    return String.join(" ", words);
  }

  private IntervalsSourceProvider interval(Random random, int depth) {
    IntervalMode mode = random.nextBoolean() ? IntervalMode.ORDERED : IntervalMode.UNORDERED;
    int gaps = random.nextInt(8) - 1;
    IntervalFilter filter =
        depth > 0 && random.nextInt(4) == 0
            ? new IntervalFilter(
                interval(random, depth - 2),
                List.of(
                        "containing",
                        "contained_by",
                        "not_containing",
                        "not_contained_by",
                        "overlapping",
                        "not_overlapping",
                        "before",
                        "after")
                    .get(random.nextInt(8)))
            : null;
    switch (depth <= 0 ? random.nextInt(5) : random.nextInt(8)) {
      case 0 -> {
        String prefix = words(random, 1).toLowerCase(Locale.ROOT);
        return new Prefix(prefix.substring(0, Math.min(prefix.length(), 4)), null, null);
      }
      case 5, 6 -> {
        List<IntervalsSourceProvider> parts = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          parts.add(interval(random, depth - 1));
        }
        return new Combine(parts, mode, gaps, filter);
      }
      case 7 -> {
        List<IntervalsSourceProvider> parts = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          parts.add(interval(random, depth - 1));
        }
        return new Disjunction(parts, filter);
      }
      default -> {
        return new Match(words(random, 4), gaps, mode, null, filter, null);
      }
    }
  }

  private String token(Random random) {
    return words(random, 1).toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}].*", "");
  }

  private SpanQueryBuilder span(Random random, int depth) {
    switch (depth == 0 ? random.nextInt(3) : random.nextInt(7)) {
      case 1 -> {
        String token = token(random);
        return spanMultiTermQueryBuilder(
            random.nextBoolean()
                ? new PrefixQueryBuilder("message", token.substring(0, Math.min(3, token.length())))
                : new WildcardQueryBuilder("message", "*" + token));
      }
      case 3 -> {
        return spanOrQuery(span(random, depth - 1)).addClause(span(random, depth - 1));
      }
      case 4 -> {
        return spanNotQuery(span(random, depth - 1), span(random, depth - 1));
      }
      case 5, 6 -> {
        SpanNearQueryBuilder near = spanNearQuery(span(random, depth - 1), random.nextInt(6));
        return near.addClause(span(random, depth - 1)).inOrder(random.nextBoolean());
      }
      default -> {
        return spanTermQuery("message", token(random));
      }
    }
  }

  /** Where the source does not hold the tokens, the search says so and finds no less in silence. */
  public void testWhatHasNoSourceIsRefused() throws IOException {
    String[] mappings = {
      "{\"_source\":{\"excludes\":[\"message\"]},\"properties\":{\"message\":{\"type\":\"log_text\"}}}",
      "{\"_source\":{\"enabled\":false},\"properties\":{\"message\":{\"type\":\"log_text\"}}}"
    };
    for (int i = 0; i < mappings.length; i++) {
      String index = "sourceless-" + i;
      create(index, mappings[i]);
      client().prepareIndex(index).setSource("message", "session opened by root").get();
      client().admin().indices().prepareRefresh(index).get();
      QueryBuilder query = new IntervalQueryBuilder("message", match("session opened"));
      refused(index, query, "_source", "session", "[message]");
      refused(index, spanTermQuery("message", "root"), "_source", "root", "[message]");
      assertEquals(1, hits(index, QueryBuilders.matchQuery("message", "opened root")).size());
    }
  }

  public void testNestedFieldsAreRefused() throws IOException {
    create(
        "nested",
        "{\"properties\":{\"of\":{\"type\":\"nested\",\"properties\":{\"message\":{\"type\":\"log_text\"}}}}}");
    client().prepareIndex("nested").setSource("of", Map.of("message", "session opened")).get();
    client().admin().indices().prepareRefresh("nested").get();
    QueryBuilder query = new IntervalQueryBuilder("of.message", match("session opened"));
    refused(
        "nested",
        QueryBuilders.nestedQuery("of", query, org.apache.lucene.search.join.ScoreMode.None),
        "nested",
        "[of.message]");
  }

  public void testCopiesAndObjectsAreRead() throws IOException {
    create(
        "copied",
        "{\"properties\":{\"all\":{\"type\":\"log_text\"},\"a\":{\"type\":\"keyword\",\"copy_to\":\"all\"},"
            + "\"b\":{\"properties\":{\"c\":{\"type\":\"log_text\",\"copy_to\":\"all\"}}}}}");
    client()
        .prepareIndex("copied")
        .setId("1")
        .setSource(Map.of("a", "session opened", "b", Map.of("c", "by the root")))
        .get();
    client().prepareIndex("copied").setId("2").setSource(Map.of("a", "opened session")).get();
    client().admin().indices().prepareRefresh("copied").get();
    assertEquals(
        List.of("1"),
        List.copyOf(
            hits("copied", new IntervalQueryBuilder("all", match("session opened"))).keySet()));
    assertEquals(1, hits("copied", new IntervalQueryBuilder("all", match("the root"))).size());
    assertEquals(1, hits("copied", new IntervalQueryBuilder("b.c", match("by the"))).size());
  }

  /** The rules that ask what the field has indexed are refused by their own error. */
  public void testOtherRulesAreRefused() throws IOException {
    create("ours", OURS);
    client().prepareIndex("ours").setSource("message", "session opened").get();
    client().admin().indices().prepareRefresh("ours").get();
    refused(
        "ours",
        new IntervalQueryBuilder(
            "message", new IntervalsSourceProvider.Wildcard("sess*", null, null, null)),
        "no positions indexed",
        "[message]");
  }

  private static Match match(String words) {
    return new Match(words, 0, IntervalMode.ORDERED, null, null, null);
  }

  private void refused(String index, QueryBuilder query, String... said) {
    Exception e =
        expectThrows(Exception.class, () -> client().prepareSearch(index).setQuery(query).get());
    assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(e));
    String all = ExceptionsHelper.stackTrace(e);
    for (String word : said) {
      assertTrue(word + " in " + all, all.contains(word));
    }
  }
}
