package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.matchBoolPrefixQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.multiMatchQuery;
import static org.opensearch.index.query.QueryBuilders.queryStringQuery;
import static org.opensearch.index.query.QueryBuilders.simpleQueryStringQuery;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.Operator;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * The queries that stock builds without asking the field type, as the page states them under
 * Limits. They see only terms with postings; these tests say what that means, so that it is noticed
 * when stock, or we, change it.
 */
public class LogTextLimitsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 10;

  /** Written before their template counts: with postings for every token. */
  private static final TreeSet<Integer> FREE = upTo(TemplateSketch.SIGHTS - 1);

  private static final TreeSet<Integer> ALL = upTo(DOCUMENTS);
  private static final TreeSet<Integer> NONE = upTo(0);

  private static TreeSet<Integer> upTo(int end) {
    TreeSet<Integer> out = new TreeSet<>();
    for (int i = 0; i < end; i++) {
      out.add(i);
    }
    return out;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LogTextNodeTests.Host.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    for (Map.Entry<String, String> index :
        Map.of(
                "ours", LogTextEqualsMatchOnlyTextNodeTests.OURS,
                "ref", LogTextEqualsMatchOnlyTextNodeTests.REFERENCE)
            .entrySet()) {
      client()
          .admin()
          .indices()
          .prepareCreate(index.getKey())
          .setSettings(Settings.builder().put("index.number_of_shards", 1))
          .setMapping(index.getValue())
          .get();
      for (int i = 0; i < DOCUMENTS; i++) {
        client()
            .prepareIndex(index.getKey())
            .setId("" + i)
            .setSource("message", "nova.wsgi.server opened session " + i)
            .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
            .get();
      }
    }
  }

  private TreeSet<Integer> ids(String index, QueryBuilder query) {
    TreeSet<Integer> out = new TreeSet<>();
    for (SearchHit hit :
        client().prepareSearch(index).setQuery(query).setSize(100).get().getHits()) {
      out.add(Integer.valueOf(hit.getId()));
    }
    return out;
  }

  private void assertFinds(TreeSet<Integer> reference, TreeSet<Integer> ours, QueryBuilder query) {
    assertEquals("reference: " + query, reference, ids("ref", query));
    assertEquals("log_text: " + query, ours, ids("ours", query));
  }

  /** SimpleQueryStringQueryParser#newPossiblyAnalyzedQuery at 3.8.0. */
  public void testSimpleQueryStringWithAnalyzedWildcards() {
    assertFinds(ALL, ALL, simpleQueryStringQuery("wsg*").field("message"));
    assertFinds(ALL, FREE, simpleQueryStringQuery("wsg*").field("message").analyzeWildcard(true));
    assertFinds(
        ALL,
        FREE,
        simpleQueryStringQuery("wsgi.serv*")
            .field("message")
            .analyzeWildcard(true)
            .defaultOperator(Operator.AND));
    assertFinds(
        ALL,
        FREE,
        simpleQueryStringQuery("opened-sess*")
            .field("message")
            .analyzer("millrace_log_parts")
            .analyzeWildcard(true)
            .defaultOperator(Operator.AND));
  }

  /**
   * QueryStringQueryParser#getPossiblyAnalyzedPrefixQuery at 3.8.0; a prefix of a single token asks
   * the field type.
   */
  public void testQueryStringWithAnalyzedWildcards() {
    assertFinds(ALL, ALL, queryStringQuery("wsg*").field("message").analyzeWildcard(true));
    for (String analyzer : List.of("millrace_log_search", "millrace_log_parts")) {
      QueryBuilder prefix =
          queryStringQuery("wsgi.serv*")
              .field("message")
              .analyzer(analyzer)
              .defaultOperator(Operator.AND);
      QueryBuilder analyzed =
          queryStringQuery("wsgi.serv*")
              .field("message")
              .analyzer(analyzer)
              .analyzeWildcard(true)
              .defaultOperator(Operator.AND);
      assertFinds(NONE, NONE, prefix);
      assertFinds(ALL, FREE, analyzed);
    }
  }

  /** MatchQuery.MatchQueryBuilder#add at 3.8.0: two tokens at one position. */
  public void testMatchWithAnAnalyzerOfSeveralTokensAtOnePosition() {
    QueryBuilder both =
        matchQuery("message", "nova.wsgi.server").analyzer("millrace_log").operator(Operator.AND);
    assertFinds(ALL, FREE, both);
    for (String analyzer : List.of("millrace_log", "millrace_log_words")) {
      for (QueryBuilder query :
          List.of(
              matchBoolPrefixQuery("message", "nova.wsgi.server")
                  .analyzer(analyzer)
                  .operator(Operator.AND),
              multiMatchQuery("nova.wsgi.server", "message")
                  .analyzer(analyzer)
                  .operator(Operator.AND),
              queryStringQuery("nova.wsgi.server")
                  .field("message")
                  .analyzer(analyzer)
                  .defaultOperator(Operator.AND),
              simpleQueryStringQuery("nova.wsgi.server")
                  .field("message")
                  .analyzer(analyzer)
                  .defaultOperator(Operator.AND))) {
        assertFinds(ALL, FREE, query);
      }
    }
    assertFinds(ALL, ALL, matchQuery("message", "nova.wsgi.server").operator(Operator.AND));
    assertFinds(
        ALL,
        ALL,
        matchQuery("message", "nova.wsgi.server")
            .analyzer("millrace_log_parts")
            .operator(Operator.AND));
    assertFinds(ALL, ALL, matchPhraseQuery("message", "nova.wsgi.server").analyzer("millrace_log"));
  }

  /**
   * QueryStringQueryParser#getWildcardQuerySingle at 3.8.0: also across the tokens of a template.
   */
  public void testQueryStringWildcardWithAnAnalyzer() {
    assertFinds(ALL, ALL, queryStringQuery("ws?i").field("message"));
    assertFinds(
        ALL, FREE, queryStringQuery("ws?i").field("message").analyzer("millrace_log_parts"));
    TreeSet<Integer> templated = new TreeSet<>(ALL);
    templated.removeAll(FREE);
    assertFinds(
        NONE,
        templated,
        queryStringQuery("*wsgi*opened*").field("message").analyzer("millrace_log_parts"));
  }
}
