package io.millrace.write.logtext;

import static io.millrace.write.logtext.LogTextEqualsMatchOnlyTextNodeTests.OURS;
import static io.millrace.write.logtext.LogTextEqualsMatchOnlyTextNodeTests.REFERENCE;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchModule;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Differential, over everything a search can hold: every kind of query that the node registers, the
 * suggesters, the highlighters and the aggregations over text, on a {@code log_text} field and on
 * its {@code match_only_text} twin. The same hits with the same scores, or the same error. Queries
 * that need positions are asked of a {@code text} twin, without scores of spans: there a token that
 * stands in a document twice counts twice.
 */
public class LogTextEveryQueryNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 40;
  private static final String LOG_TEXT = "ours-index";
  private static final String TWIN = "twin-index";
  private static final String POSITIONS = "text-index";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LogTextNodeTests.Host.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    client().prepareIndex("lookup").setId("words").setSource("words", List.of("opened", "x")).get();
    for (Map.Entry<String, String> index :
        Map.of(LOG_TEXT, OURS, TWIN, REFERENCE, POSITIONS, LogTextPositionsNodeTests.TEXT)
            .entrySet()) {
      String message =
          index.getValue().substring("{'properties':{".length(), index.getValue().length() - 2);
      String mapping =
          "{\"properties\":{\"other\":{\"type\":\"text\"},\"required\":{\"type\":\"integer\"},"
              + "\"objects\":{\"type\":\"nested\",\"properties\":{"
              + message.replace("\"message\"", "\"text\"")
              + "}},"
              + message
              + "}}";
      client()
          .admin()
          .indices()
          .prepareCreate(index.getKey())
          .setSettings(Settings.builder().put("index.number_of_shards", 1))
          .setMapping(mapping)
          .get();
      for (int i = 0; i < DOCUMENTS; i++) {
        String value =
            i == 3 ? "a rare message" : "nova.wsgi.server session opened session " + i + " HTTP2";
        client()
            .prepareIndex(index.getKey())
            .setId("" + i)
            .setSource(
                Map.of(
                    "message",
                    i % 10 == 5 ? List.of(value, "session opened twice") : value,
                    "other",
                    "session " + i,
                    "required",
                    2,
                    "objects",
                    Map.of("text", "opened object " + i)))
            .get();
        if (i % 15 == 14) {
          client().admin().indices().prepareRefresh(index.getKey()).get();
        }
      }
      client().prepareDelete(index.getKey(), "20").get();
      client().admin().indices().prepareRefresh(index.getKey()).get();
    }
    assertTrue("templates were written", templated() > DOCUMENTS / 2);
  }

  private double templated() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(LogTextNodeTests.Host.class)
        .get(0)
        .logText
        .metrics()
        .stream()
        .filter(metric -> metric.name().equals("templated_values"))
        .findFirst()
        .orElseThrow()
        .samples()
        .get()
        .get(0)
        .value();
  }

  /** What a search answers: everything but the time it took and the index's name; or the error. */
  private Object answer(String index, String source) {
    try {
      SearchSourceBuilder builder;
      try (XContentParser parser =
          XContentType.JSON
              .xContent()
              .createParser(
                  getInstanceFromNode(NamedXContentRegistry.class),
                  DeprecationHandler.IGNORE_DEPRECATIONS,
                  source.replace("#", index))) {
        builder = SearchSourceBuilder.fromXContent(parser);
      }
      SearchRequestBuilder search =
          client().prepareSearch(index).setSource(builder.size(100).trackTotalHits(true));
      SearchResponse response = search.get();
      Map<String, Object> out = new TreeMap<>();
      for (SearchHit hit : response.getHits()) {
        out.put(hit.getId(), hit.getScore() + " " + hit.getHighlightFields());
      }
      assertEquals(out.size(), response.getHits().getTotalHits().value());
      out.put("suggest", "" + response.getSuggest());
      out.put(
          "aggregations",
          response.getAggregations() == null ? "" : response.getAggregations().asMap().toString());
      assertEquals(0, response.getFailedShards());
      return out;
    } catch (Exception e) {
      Throwable root = ExceptionsHelper.unwrapCause(e);
      Throwable cause =
          root instanceof OpenSearchException known ? known.guessRootCauses()[0] : root;
      return (cause.getClass().getSimpleName() + ": " + cause.getMessage())
          .replace(index, "#")
          .replaceAll("\\[\\S+FieldType@[0-9a-f]+]", "[type]"); // an object, not a name
    }
  }

  /** As {@link #answer(String, String)}; of spans, the hits alone. */
  private Object answer(String index, String source, String kind) {
    Object answer = answer(index, source);
    return kind.startsWith("span_") && answer instanceof Map<?, ?> hits ? hits.keySet() : answer;
  }

  private static String twin(String kind) {
    return kind.equals("intervals") || kind.startsWith("span_") ? POSITIONS : TWIN;
  }

  private static boolean found(Object answer) {
    return answer instanceof Map<?, ?> hits && hits.size() > 2
        || answer instanceof Set<?> ids && ids.size() > 2;
  }

  @Override
  protected boolean enableWarningsCheck() {
    return false; // common terms are deprecated, and must be right as long as they are there
  }

  private void assertSame(String source) {
    assertEquals(source, answer(TWIN, source), answer(LOG_TEXT, source));
  }

  private Set<String> registered() {
    SearchModule module =
        new SearchModule(
            Settings.EMPTY,
            getInstanceFromNode(PluginsService.class).filterPlugins(SearchPlugin.class));
    Set<String> names = new TreeSet<>();
    for (NamedXContentRegistry.Entry entry : module.getNamedXContents()) {
      if (entry.categoryClass == QueryBuilder.class) {
        names.add(entry.name.getPreferredName());
      }
    }
    return names;
  }

  /** A kind of query that is not asked here is a failure, not a gap. */
  public void testEveryKindOfQueryAnswersAsTheTwin() {
    Map<String, List<String>> bodies = EveryQuery.bodies();
    Set<String> missing = registered();
    missing.removeAll(bodies.keySet());
    assertEquals("add a body to EveryQuery for", Set.of(), missing);
    List<String> differences = new ArrayList<>();
    int found = 0;
    for (String kind : bodies.keySet()) {
      for (String body : bodies.get(kind)) {
        String source = "{\"query\":" + body + "}";
        Object reference = answer(twin(kind), source, kind);
        Object ours = answer(LOG_TEXT, source, kind);
        if (!reference.equals(ours)) {
          differences.add(source + "\n  twin     " + reference + "\n  log_text " + ours);
        }
        found += found(reference) ? 1 : 0;
      }
    }
    assertEquals(String.join("\n", differences), 0, differences.size());
    assertTrue("most must find something: " + found, found > 50);
  }

  /**
   * Every kind again, with parameters that it may take or refuse; as often as it takes until many
   * find something.
   */
  public void testRandomParametersAnswerAsOnTheTwin() {
    Random random = new Random(randomLong());
    int found = 0;
    for (int round = 0; round < 4 && found <= 100; round++) {
      found += askWithRandomParameters(random);
    }
    assertTrue("many must find something: " + found, found > 100);
  }

  private int askWithRandomParameters(Random random) {
    List<String> differences = new ArrayList<>();
    int found = 0;
    Map<String, List<String>> bodies = EveryQuery.bodies();
    for (String name : bodies.keySet()) {
      List<String> kind = bodies.get(name);
      for (int i = 0; i < 12; i++) {
        String source = "";
        Object reference = "";
        for (int tries = 0; tries < 8 && reference instanceof String; tries++) {
          source = "{\"query\":" + QueryParameters.vary(kind.get(i % kind.size()), random) + "}";
          reference = answer(twin(name), source, name); // most parameters are of another kind
        }
        Object ours = answer(LOG_TEXT, source, name);
        if (!reference.equals(ours)) {
          differences.add(source + "\n  twin     " + reference + "\n  log_text " + ours);
        }
        found += found(reference) ? 1 : 0;
      }
    }
    assertEquals(String.join("\n", differences), 0, differences.size());
    return found;
  }

  public void testSuggestersAnswerAsTheTwin() {
    String suggest =
        "{\"suggest\":{\"text\":\"sesion opned\",\"s\":{%s:{\"field\":\"message\"%s}}}}";
    assertSame(suggest.formatted("\"term\"", ""));
    assertSame(suggest.formatted("\"term\"", ",\"suggest_mode\":\"always\""));
    assertSame(suggest.formatted("\"phrase\"", ""));
    assertSame(suggest.formatted("\"completion\"", ""));
  }

  /** Without statistics, which count a deleted document until a merge takes it. */
  public void testTermVectorsAnswerAsTheTwin() throws IOException {
    for (String id : List.of("3", "5", "7")) {
      assertEquals(termVectors(TWIN, id), termVectors(LOG_TEXT, id));
      assertTrue(id, termVectors(LOG_TEXT, id).contains("\"position\":1"));
    }
  }

  private String termVectors(String index, String id) throws IOException {
    return BytesReference.bytes(
            client()
                .prepareTermVectors(index, id)
                .setSelectedFields("message")
                .setFieldStatistics(false)
                .get()
                .toXContent(JsonXContent.contentBuilder(), ToXContent.EMPTY_PARAMS))
        .utf8ToString()
        .replaceAll("\"took\":\\d+|\"_index\":\"[^\"]*\"", "");
  }

  public void testHighlightersAnswerAsTheTwin() {
    for (String type : List.of("unified", "plain", "fvh")) {
      for (String field : List.of("message", "*", "mess*")) {
        assertSame(
            "{\"query\":{\"match\":{\"message\":\"opened 7\"}},\"highlight\":{\"type\":\""
                + type
                + "\",\"fields\":{\""
                + field
                + "\":{}}}}");
      }
    }
  }

  public void testAggregationsAndSortsAnswerAsTheTwin() {
    for (String aggregation :
        List.of(
            "\"terms\":{\"field\":\"message\"}",
            "\"significant_text\":{\"field\":\"message\",\"min_doc_count\":1}",
            "\"significant_terms\":{\"field\":\"message\"}",
            "\"cardinality\":{\"field\":\"message\"}",
            "\"missing\":{\"field\":\"message\"}",
            "\"value_count\":{\"field\":\"message\"}",
            "\"filter\":{\"common\":{\"message\":{\"query\":\"opened\",\"cutoff_frequency\":0.001}}}",
            "\"adjacency_matrix\":{\"filters\":{\"a\":{\"common\":{\"message\":{\"query\":\"opened\","
                + "\"cutoff_frequency\":0.001}}}}}")) {
      assertSame(
          "{\"query\":{\"match\":{\"other\":\"7 8 9 11\"}},\"aggs\":{\"a\":{"
              + aggregation
              + "}}}");
    }
    assertSame("{\"sort\":[\"message\"]}");
    assertSame("{\"docvalue_fields\":[\"message\"]}");
    assertSame(
        "{\"post_filter\":{\"common\":{\"message\":{\"query\":\"opened\",\"cutoff_frequency\":0.001}}},"
            + "\"rescore\":{\"query\":{\"rescore_query\":{\"common\":{\"message\":{\"query\":\"rare 7\","
            + "\"cutoff_frequency\":0.001}}}}}}");
  }
}
