package io.millrace.write.logtext;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.profile.ProfileResult;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A profile tells what of a phrase templates decided, and how many documents were looked at. */
public class LogTextPlanNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 10;

  /** Written with all tokens, before the template counts. */
  private static final int FREE = TemplateSketch.SIGHTS - 1;

  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new LogAnalyzerFeature(), new LogTextFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  /** What each part was asked for, by what the part is. */
  private Map<String, Map<String, Long>> parts(String phrase, long hits) {
    SearchResponse response =
        client()
            .prepareSearch("log")
            .setQuery(QueryBuilders.matchPhraseQuery("message", phrase))
            .setTrackTotalHits(true)
            .setProfile(true)
            .get();
    assertEquals(hits, response.getHits().getTotalHits().value());
    Map<String, Map<String, Long>> parts = new TreeMap<>();
    response.getProfileResults().values().stream()
        .flatMap(shard -> shard.getQueryProfileResults().stream())
        .forEach(query -> query.getQueryResults().forEach(part -> collect(part, parts)));
    return parts;
  }

  private static void collect(ProfileResult part, Map<String, Map<String, Long>> parts) {
    parts.put(part.getLuceneDescription(), part.getTimeBreakdown());
    part.getProfiledChildren().forEach(child -> collect(child, parts));
  }

  public void testAPhraseIsShownWithItsParts() {
    client()
        .admin()
        .indices()
        .prepareCreate("log")
        .setSettings(Settings.builder().put("index.number_of_shards", 1))
        .setMapping("message", "type=log_text")
        .get();
    for (int i = 0; i < DOCUMENTS; i++) {
      client()
          .prepareIndex("log")
          .setSource(Map.of("message", "session " + (100 + i) + " opened for user root"))
          .get();
    }
    client()
        .prepareIndex("log")
        .setSource(Map.of("message", "nothing of this kind"))
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    client().admin().indices().prepareForceMerge("log").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("log").get();

    Map<String, Map<String, Long>> words = parts("opened for user", DOCUMENTS);
    assertTrue(
        words.keySet().toString(), words.containsKey("log_text_templates(message, decided)"));
    Map<String, Long> read = words.get("log_text_read(message:\"opened for user\")");
    assertNotNull(words.keySet().toString(), read);
    assertEquals(Long.valueOf(FREE), read.get("match_count"));

    Map<String, Map<String, Long>> number = parts("session 107 opened", 1);
    assertTrue(
        number.keySet().toString(), number.containsKey("log_text_templates(message, maybe)"));
    read = number.get("log_text_read(message:\"session 107 opened\")");
    assertNotNull(number.keySet().toString(), read);
    assertEquals(Long.valueOf(1), read.get("match_count"));
  }
}
