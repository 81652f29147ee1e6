package io.millrace.write.loganalyzer;

import static org.opensearch.index.query.QueryBuilders.matchPhrasePrefixQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.queryStringQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;
import static org.opensearch.index.query.QueryBuilders.wildcardQuery;

import io.millrace.kernel.FeaturePlugin;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.Operator;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The analyzer in a node: what is found, and the golden {@code _analyze} answer. */
public class LogAnalyzerNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new LogAnalyzerFeature()));
    }
  }

  private static final String MESSAGE =
      "INFO nova.osapi_compute.wsgi.server [req-38101a0b-2096] 10.11.10.1 \"GET"
          + " /v2/54fadb41/servers/detail HTTP/1.1\" status=200";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private void createAndIndex(String type, String more) {
    client()
        .admin()
        .indices()
        .prepareCreate("logs")
        .setMapping(
            "{\"properties\":{\"message\":{\"type\":\""
                + type
                + "\",\"analyzer\":\"millrace_log\""
                + more
                + "}}}")
        .get();
    client().prepareIndex("logs").setId("1").setSource("message", MESSAGE).get();
    client()
        .prepareIndex("logs")
        .setId("2")
        .setSource("message", "10 servers, 11 up and 1 nova down")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
  }

  private long hits(QueryBuilder query) {
    return client().prepareSearch("logs").setQuery(query).get().getHits().getTotalHits().value();
  }

  public void testTextFieldFindsPartsAndWhole() {
    createAndIndex(
        "text",
        ",\"search_analyzer\":\"millrace_log_search\",\"search_quote_analyzer\":\"millrace_log\"");
    for (String word :
        List.of(
            "wsgi", "osapi", "osapi_compute.wsgi", "nova.osapi_compute.wsgi.server", "detail")) {
      assertEquals(word, 1, hits(matchQuery("message", word)));
    }
    assertEquals(1, hits(matchQuery("message", "10.11.10.1")));
    assertEquals(1, hits(matchQuery("message", "status=200")));
    assertEquals(1, hits(termQuery("message", "10.11.10.1")));
    assertEquals(1, hits(wildcardQuery("message", "10.11.*")));
    assertEquals(1, hits(matchPhraseQuery("message", "wsgi.server [req-38101a0b")));
    assertEquals(1, hits(matchPhraseQuery("message", "INFO nova osapi compute wsgi server req")));
    assertEquals(1, hits(matchPhraseQuery("message", "info nova.osapi_compute.wsgi.server req")));
    assertEquals(0, hits(matchPhraseQuery("message", "compute.osapi")));
    assertEquals(1, hits(matchPhrasePrefixQuery("message", "servers det")));
    assertEquals(1, hits(queryStringQuery("message:10.11.10.1")));
    assertEquals(1, hits(queryStringQuery("message:NOVA.osapi*")));
  }

  public void testAloneItFindsPhrasesAndWholeTokens() {
    createAndIndex("text", "");
    assertEquals(1, hits(matchPhraseQuery("message", "info nova.osapi_compute.wsgi.server req")));
    assertEquals(1, hits(matchPhraseQuery("message", "osapi compute wsgi server req")));
    assertEquals(1, hits(termQuery("message", "10.11.10.1")));
    // a match wants any token of the query, as with every analyzer, or all of them when told so
    assertEquals(2, hits(matchQuery("message", "10.11.10.1")));
    assertEquals(1, hits(matchQuery("message", "status=200").operator(Operator.AND)));
  }

  public void testMatchOnlyTextWithFlatPhrases() {
    createAndIndex(
        "match_only_text",
        ",\"search_analyzer\":\"millrace_log_search\","
            + "\"search_quote_analyzer\":\"millrace_log_parts\"");
    // no positions: a match wants all parts, in any order
    assertEquals(2, hits(matchQuery("message", "10.11.10.1")));
    assertEquals(1, hits(matchPhraseQuery("message", "10.11.10.1")));
    assertEquals(1, hits(matchQuery("message", "osapi_compute.wsgi")));
    assertEquals(1, hits(matchPhraseQuery("message", "wsgi.server [req-38101a0b")));
    assertEquals(0, hits(matchPhraseQuery("message", "server.wsgi")));
  }

  public void testTokenizerInCustomAnalyzer() {
    client()
        .admin()
        .indices()
        .prepareCreate("custom")
        .setSettings(
            Settings.builder()
                .put("analysis.tokenizer.t.type", "millrace_log")
                .put("analysis.tokenizer.t.whole", "none")
                .put("analysis.analyzer.a.type", "custom")
                .put("analysis.analyzer.a.tokenizer", "t"))
        .get();
    var tokens = client().admin().indices().prepareAnalyze("custom", "A.b1").setAnalyzer("a").get();
    assertEquals(List.of("a", "b1"), tokens.getTokens().stream().map(t -> t.getTerm()).toList());
  }

  public void testBadSettingsAreNamed() {
    IllegalArgumentException whole =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                LogAnalyzerFeature.tokenizer("t", Settings.builder().put("whole", "some").build()));
    assertTrue(whole.getMessage(), whole.getMessage().contains("[some]; use one of [all, words"));
    IllegalArgumentException length =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                LogAnalyzerFeature.tokenizer(
                    "t", Settings.builder().put("max_token_length", 9000).build()));
    assertTrue(length.getMessage(), length.getMessage().contains("between 1 and 8191"));
  }

  public void testDefaults() {
    LogAnalyzerFeature feature = new LogAnalyzerFeature();
    assertTrue(feature.enabled().on());
    assertEquals(List.of(), feature.knobs());
  }

  public void testAnalyzeAnswerIsGolden() throws Exception {
    StringBuilder out = new StringBuilder();
    for (String analyzer :
        List.of(
            LogAnalyzerFeature.LOG,
            LogAnalyzerFeature.LOG_SEARCH,
            LogAnalyzerFeature.LOG_WORDS,
            LogAnalyzerFeature.LOG_PARTS)) {
      out.append("# ").append(analyzer).append(": ").append(MESSAGE).append('\n');
      int position = -1;
      for (var token :
          client()
              .admin()
              .indices()
              .prepareAnalyze(MESSAGE)
              .setAnalyzer(analyzer)
              .get()
              .getTokens()) {
        out.append(token.getPosition() == position ? "   = " : token.getPosition() + "\t");
        position = token.getPosition();
        out.append(token.getTerm()).append(" [").append(token.getStartOffset()).append(',');
        out.append(token.getEndOffset()).append(") length ").append(token.getPositionLength());
        out.append('\n');
      }
    }
    try (var golden = getClass().getResourceAsStream("analyze.golden.txt")) {
      assertNotNull("no golden file; the answer is:\n" + out, golden);
      assertEquals(new String(golden.readAllBytes(), StandardCharsets.UTF_8), out.toString());
    }
  }
}
