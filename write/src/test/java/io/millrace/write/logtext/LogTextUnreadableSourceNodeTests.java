package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.boolQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhrasePrefixQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.nestedQuery;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.join.ScoreMode;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Phrases on fields whose source stock cannot read: the answer does not depend on which documents
 * were written by their template, and is the reference's.
 */
public class LogTextUnreadableSourceNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 3 * TemplateSketch.SIGHTS;
  private static final String REFERENCE =
      "{\"type\":\"match_only_text\",\"analyzer\":\"millrace_log_words\","
          + "\"search_analyzer\":\"millrace_log_search\","
          + "\"search_quote_analyzer\":\"millrace_log_parts\"";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LogTextNodeTests.Host.class);
  }

  /** In the mapping TYPE stands for the field's type, open; a first part is without template. */
  private void index(String mapping, String document) {
    for (Map.Entry<String, String> index :
        Map.of("ours", "{\"type\":\"log_text\"", "ref", REFERENCE).entrySet()) {
      client()
          .admin()
          .indices()
          .prepareCreate(index.getKey())
          .setMapping(mapping.replace("TYPE", index.getValue()))
          .get();
      for (int i = 0; i < DOCUMENTS; i++) {
        client()
            .prepareIndex(index.getKey())
            .setId("" + i)
            .setSource(
                document.replace("MESSAGE", "session " + i + " opened for user root"),
                XContentType.JSON)
            .setRefreshPolicy(i == DOCUMENTS - 1 ? RefreshPolicy.IMMEDIATE : RefreshPolicy.NONE)
            .get();
      }
    }
  }

  private long hits(String index, QueryBuilder query) {
    return client().prepareSearch(index).setQuery(query).get().getHits().getTotalHits().value();
  }

  private void assertHits(long expected, QueryBuilder query) {
    assertEquals("reference: " + query, expected, hits("ref", query));
    assertEquals("log_text: " + query, expected, hits("ours", query));
  }

  private String explanation(QueryBuilder query) {
    return client()
        .admin()
        .indices()
        .prepareValidateQuery("ours")
        .setQuery(query)
        .setExplain(true)
        .get()
        .getQueryExplanation()
        .get(0)
        .getExplanation();
  }

  public void testFieldOfANestedObjectFindsNoPhrase() {
    index(
        "{\"properties\":{\"n\":{\"type\":\"nested\",\"properties\":{\"m\":TYPE}}}}}",
        "{\"n\":[{\"m\":\"MESSAGE\"}]}");
    assertHits(DOCUMENTS, nestedQuery("n", matchQuery("n.m", "opened"), ScoreMode.None));
    assertHits(0, nestedQuery("n", matchPhraseQuery("n.m", "opened for user"), ScoreMode.None));
    assertHits(0, nestedQuery("n", matchPhrasePrefixQuery("n.m", "opened for us"), ScoreMode.None));
    assertHits(0, nestedQuery("n", matchPhraseQuery("n.m", "session 7 opened"), ScoreMode.None));
  }

  public void testFieldOfANestedObjectIncludedInItsRootFindsPhrases() {
    index(
        "{\"properties\":{\"n\":{\"type\":\"nested\",\"include_in_root\":true,"
            + "\"properties\":{\"m\":TYPE}}}}}",
        "{\"n\":[{\"m\":\"MESSAGE\"},{\"m\":\"other\"}]}");
    assertHits(DOCUMENTS, matchPhraseQuery("n.m", "opened for user"));
    assertHits(0, matchPhraseQuery("n.m", "root other"));
  }

  public void testFieldLeftOutOfTheSourceFindsNoPhrase() {
    for (String filter : List.of("\"excludes\":[\"o.m\"]", "\"includes\":[\"other*\"]")) {
      index(
          "{\"_source\":{" + filter + "},\"properties\":{\"o\":{\"properties\":{\"m\":TYPE}}}}}}",
          "{\"o\":{\"m\":\"MESSAGE\"},\"other\":1}");
      assertHits(DOCUMENTS, matchQuery("o.m", "opened"));
      assertHits(0, matchPhraseQuery("o.m", "opened for user"));
      assertHits(0, matchPhraseQuery("o.m", "session 7 opened"));
      client().admin().indices().prepareDelete("ours", "ref").get();
    }
  }

  public void testTargetOfACopyFindsPhrasesWhereEveryPathHasAValue() {
    index(
        "{\"properties\":{\"raw\":{\"type\":\"keyword\",\"copy_to\":\"m\"},\"m\":TYPE}}}",
        "{\"raw\":\"MESSAGE\"}");
    assertHits(DOCUMENTS, matchQuery("m", "opened"));
    assertHits(0, matchPhraseQuery("m", "opened for user"));
  }

  /** A filter of the source that spares the field leaves phrases to the templates. */
  public void testFieldKeptInAFilteredSourceIsStillDecidedByTemplates() {
    index(
        "{\"_source\":{\"excludes\":[\"secret\",\"*.key\"]},\"properties\":{\"o\":{\"properties\":"
            + "{\"m\":TYPE}}}}}}",
        "{\"o\":{\"m\":\"MESSAGE\",\"key\":1}}");
    QueryBuilder phrase = matchPhraseQuery("o.m", "opened for user");
    assertHits(DOCUMENTS, phrase);
    assertHits(1, boolQuery().filter(matchPhraseQuery("o.m", "session 7 opened")));
    assertTrue(explanation(phrase), explanation(phrase).contains("decided"));
  }
}
