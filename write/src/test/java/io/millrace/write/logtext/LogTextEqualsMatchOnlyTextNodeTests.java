package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.boolQuery;
import static org.opensearch.index.query.QueryBuilders.existsQuery;
import static org.opensearch.index.query.QueryBuilders.fuzzyQuery;
import static org.opensearch.index.query.QueryBuilders.matchBoolPrefixQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhrasePrefixQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.multiMatchQuery;
import static org.opensearch.index.query.QueryBuilders.prefixQuery;
import static org.opensearch.index.query.QueryBuilders.queryStringQuery;
import static org.opensearch.index.query.QueryBuilders.rangeQuery;
import static org.opensearch.index.query.QueryBuilders.regexpQuery;
import static org.opensearch.index.query.QueryBuilders.simpleQueryStringQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;
import static org.opensearch.index.query.QueryBuilders.termsQuery;
import static org.opensearch.index.query.QueryBuilders.wildcardQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.Fuzziness;
import org.opensearch.index.query.MultiMatchQueryBuilder;
import org.opensearch.index.query.Operator;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Metamorphic: the same documents in a {@code log_text} field and in a {@code match_only_text}
 * field with the same analyzers, the same random queries, the same answers.
 *
 * <p>With {@code -Dmillrace.corpus=DIR} the messages are the lines of the folder's log files.
 */
public class LogTextEqualsMatchOnlyTextNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    final LogTextFeature logText;

    public Host() {
      this(new LogTextFeature());
    }

    private Host(LogTextFeature logText) {
      super(List.of(new LogAnalyzerFeature(), logText, new LateInversionFeature()));
      this.logText = logText;
    }
  }

  static final String OURS = "{\"properties\":{\"message\":{\"type\":\"log_text\"}}}";
  static final String REFERENCE =
      "{\"properties\":{\"message\":{\"type\":\"match_only_text\",\"analyzer\":\"millrace_log_words\","
          + "\"search_analyzer\":\"millrace_log_search\","
          + "\"search_quote_analyzer\":\"millrace_log_parts\"}}}";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private final List<String> messages = new ArrayList<>();

  private void create(String index, Settings settings, String mapping) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(settings)
        .setMapping(
            mapping.replace("{\"properties\":{", "{\"properties\":{\"order\":{\"type\":\"long\"},"))
        .get();
  }

  private void index(Random random, int count) {
    Settings.Builder sorted = Settings.builder();
    if (random.nextBoolean()) {
      sorted.put("index.sort.field", "order");
    }
    Settings settings =
        sorted
            .put("index.number_of_shards", 1)
            .put("index.refresh_interval", "-1")
            .put("index.max_result_window", 100_000)
            .build();
    create("ours", settings, OURS);
    create("ref", settings, REFERENCE);
    messages.addAll(LogLines.corpus(random, count));
    int batch = 97;
    for (int from = 0; from < messages.size(); from += batch) {
      for (String index : List.of("ours", "ref")) {
        Random same = new Random(from);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = from; i < Math.min(from + batch, messages.size()); i++) {
          bulk.add(
              client()
                  .prepareIndex(index)
                  .setId("" + i)
                  .setSource(ordered(source(messages.get(i), same), i)));
          if (same.nextInt(20) == 0) {
            bulk.add(client().prepareDelete(index, "" + same.nextInt(i + 1)));
          }
          if (same.nextInt(20) == 0) {
            int j = same.nextInt(i + 1);
            bulk.add(
                client()
                    .prepareIndex(index)
                    .setId("" + j)
                    .setSource(ordered(source(messages.get(i), same), i)));
          }
        }
        assertFalse(bulk.get().hasFailures());
        if (same.nextInt(3) == 0) {
          client().admin().indices().prepareRefresh(index).get();
        }
      }
    }
    client().admin().indices().prepareRefresh("ours", "ref").get();
  }

  /** With what a sorted index sorts by: another order than that of writing. */
  private static Map<String, Object> ordered(Map<String, Object> source, int i) {
    Map<String, Object> with = new TreeMap<>(source);
    with.put("order", i * 7919L % 1009);
    return with;
  }

  private Map<String, Object> source(String message, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> {
        Map<String, Object> nothing = new TreeMap<>();
        nothing.put("message", null);
        yield nothing;
      }
      case 1 -> Map.of("message", List.of(message, messages.get(random.nextInt(messages.size()))));
      case 2 -> Map.of("message", Arrays.asList(message, null, "wsgi.server status=500"));
      case 3 -> Map.of("other", 1);
      case 4 -> Map.of("message", 42);
      default -> Map.of("message", message);
    };
  }

  private String token(Random random) {
    String[] tokens =
        messages
            .get(random.nextInt(messages.size()))
            .toLowerCase(Locale.ROOT)
            .split("[^\\p{L}\\d]+");
    String token = tokens.length == 0 ? "" : tokens[random.nextInt(tokens.length)];
    return token.isEmpty() ? LogLines.word(random) : token;
  }

  private String cut(Random random, int most) {
    String[] words = messages.get(random.nextInt(messages.size())).split(" ");
    int from = random.nextInt(words.length);
    int to = Math.min(words.length, from + 1 + random.nextInt(most));
    String text = String.join(" ", Arrays.asList(words).subList(from, to));
    if (random.nextInt(4) == 0 && text.length() > 2) {
      text = text.substring(random.nextInt(text.length() / 2));
    }
    return text.isBlank() ? LogLines.word(random) : text;
  }

  /** Some of a token, mostly long enough for a digest of tokens. */
  private static String part(Random random, String token) {
    int[] points = token.codePoints().toArray();
    int from = random.nextInt(points.length);
    int to = Math.min(points.length, from + 2 + random.nextInt(5));
    return new String(points, from, to - from);
  }

  private static String escape(String text) {
    return text.replaceAll("([^\\p{L}\\d ])", "\\\\$1");
  }

  private QueryBuilder query(Random random) {
    String token = token(random);
    int half = Math.max(1, token.length() / 2);
    return switch (random.nextInt(28)) {
      case 0 -> termQuery("message", token);
      case 1 -> termQuery("message", token.toUpperCase(Locale.ROOT)).caseInsensitive(true);
      case 2 -> termsQuery("message", token, token(random), "info", "nothing");
      case 3 -> matchQuery("message", cut(random, 5));
      case 4 -> matchQuery("message", cut(random, 5)).operator(Operator.AND);
      case 5 -> matchQuery("message", cut(random, 8)).minimumShouldMatch("60%");
      case 6, 7, 8 -> matchPhraseQuery("message", cut(random, 5));
      case 9 -> matchPhraseQuery("message", cut(random, 4)).slop(1 + random.nextInt(3));
      case 10 -> matchPhraseQuery("message", token + " " + token(random));
      case 11 -> {
        String text = cut(random, 4);
        yield matchPhrasePrefixQuery(
            "message", text.substring(0, Math.max(1, text.length() - random.nextInt(3))));
      }
      case 12 -> prefixQuery("message", token.substring(0, half));
      case 13 -> wildcardQuery("message", "*" + token.substring(half / 2, half) + "?*");
      case 14 -> regexpQuery("message", token.substring(0, half) + "[a-z0-9]*|.*" + "e.r");
      case 15 -> fuzzyQuery("message", token).fuzziness(Fuzziness.AUTO).maxExpansions(200);
      case 16 -> matchQuery("message", token).fuzziness(Fuzziness.ONE);
      case 17 -> rangeQuery("message").gte(token).lt(token + "m");
      case 18 -> existsQuery("message");
      case 19 -> matchBoolPrefixQuery("message", cut(random, 3));
      case 20, 21 ->
          wildcardQuery("message", "*" + part(random, token) + "*")
              .caseInsensitive(random.nextBoolean());
      case 22 ->
          regexpQuery("message", ".*" + part(random, token).toUpperCase(Locale.ROOT) + "[a-z0-9]*")
              .caseInsensitive(true);
      case 23 ->
          queryStringQuery("message:*" + escape(part(random, token)) + "* OR message:?" + token)
              .lenient(true);
      case 24 ->
          multiMatchQuery(cut(random, 3), "message")
              .type(
                  MultiMatchQueryBuilder.Type.values()[
                      random.nextInt(MultiMatchQueryBuilder.Type.values().length)])
              .lenient(true);
      case 25 ->
          boolQuery()
              .filter(wildcardQuery("message", "*" + part(random, token) + "*"))
              .mustNot(matchPhraseQuery("message", cut(random, 3)))
              .should(matchPhraseQuery("message", cut(random, 2)));
      case 26 ->
          queryStringQuery(
                  "message:(" + escape(cut(random, 3)) + ") OR message:\"" + escape(token) + "\"")
              .lenient(false);
      default ->
          boolQuery()
              .must(matchQuery("message", token))
              .mustNot(simpleQueryStringQuery(escape(cut(random, 2))).field("message"))
              .should(wildcardQuery("message", "*"));
    };
  }

  /** Ids with scores; or the error. */
  private Map<String, Float> answer(String index, QueryBuilder query, boolean scores) {
    SearchRequestBuilder search =
        client().prepareSearch(index).setQuery(query).setSize(100_000).setTrackTotalHits(true);
    Map<String, Float> out = new TreeMap<>();
    SearchResponse response = search.get();
    for (SearchHit hit : response.getHits()) {
      out.put(hit.getId(), scores ? hit.getScore() : 1f);
    }
    assertEquals(out.size(), response.getHits().getTotalHits().value());
    return out;
  }

  /** Without hits, so that a segment may be counted and not visited. */
  private long count(String index, QueryBuilder query) {
    return client()
        .prepareSearch(index)
        .setQuery(query)
        .setSize(0)
        .setTrackTotalHits(true)
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  private float explained(String index, String id, QueryBuilder query) {
    return client()
        .prepareExplain(index, id)
        .setQuery(query)
        .get()
        .getExplanation()
        .getValue()
        .floatValue();
  }

  /**
   * @param merged whether both indices are one segment without deletes: frequencies count deleted
   *     documents until a merge takes them, and two indices merge at different times
   */
  private int compare(Random random, int queries, boolean merged) {
    int found = 0;
    for (int i = 0; i < queries; i++) {
      QueryBuilder query = query(random);
      boolean scores = merged || !query.toString().contains("fuzz");
      Map<String, Float> reference = answer("ref", query, scores);
      Map<String, Float> ours = answer("ours", query, scores);
      assertEquals(query.toString(), reference, ours);
      if (i % 4 == 0) {
        assertEquals("count of " + query, reference.size(), count("ours", query));
      }
      if (i % 8 == 0 && scores && !ours.isEmpty()) {
        String id = ours.keySet().iterator().next();
        assertEquals(
            "explanation of " + query,
            explained("ref", id, query),
            explained("ours", id, query),
            1e-5);
      }
      found += reference.isEmpty() ? 0 : 1;
    }
    return found;
  }

  public void testSameAnswers() {
    Random random = new Random(Long.getLong("millrace.fuzz.seed", randomLong()));
    index(random, 2_000);
    int queries = Integer.getInteger("millrace.fuzz.rounds", 800);
    int found = compare(random, queries, false);
    client().admin().indices().prepareForceMerge("ours", "ref").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("ours", "ref").get();
    found += compare(random, queries / 2, true);
    assertTrue("most queries must find something: " + found, found > queries * 3 / 4);
    // and after the node has taken the shards up again, from segments and translog
    client().admin().indices().prepareClose("ours", "ref").get();
    client().admin().indices().prepareOpen("ours", "ref").get();
    ensureGreen("ours", "ref");
    compare(random, 100, true);
    Host host =
        (Host)
            getInstanceFromNode(org.opensearch.plugins.PluginsService.class)
                .filterPlugins(FeaturePlugin.class)
                .get(0);
    var metrics = host.logText.metrics();
    double cached =
        metrics.stream()
            .filter(m -> m.name().equals("cached_templates"))
            .findFirst()
            .orElseThrow()
            .samples()
            .get()
            .get(0)
            .value();
    assertTrue("templates were used: " + cached, cached > 0);
  }

  public void testSameHighlights() {
    Random random = new Random(randomLong());
    index(random, 300);
    for (int i = 0; i < 150; i++) {
      QueryBuilder query = query(random);
      boolean prefix = query.toString().contains("phrase_prefix");
      for (String type : List.of("unified", "plain")) {
        if (prefix && type.equals("unified")) {
          continue; // match_only_text marks nothing for it, ours does
        }
        List<String> answers = new ArrayList<>();
        for (String index : List.of("ref", "ours")) {
          Map<String, String> marked = new TreeMap<>();
          for (SearchHit hit :
              client()
                  .prepareSearch(index)
                  .setQuery(query)
                  .setSize(1000)
                  .highlighter(new HighlightBuilder().field("message").highlighterType(type))
                  .get()
                  .getHits()) {
            marked.put(
                hit.getId(),
                hit.getHighlightFields().containsKey("message")
                    ? Arrays.toString(hit.getHighlightFields().get("message").fragments())
                    : "");
          }
          answers.add(marked.toString());
        }
        assertEquals(type + " " + query, answers.get(0), answers.get(1));
      }
    }
  }
}
