package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.prefixQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** On one node: what is gathered and what is not, and that nobody can tell. */
public class LateInversionNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    final LateInversionFeature feature;

    public Host() {
      this(new LateInversionFeature());
    }

    private Host(LateInversionFeature feature) {
      super(List.of(new LogAnalyzerFeature(), new LogTextFeature(), feature));
      this.feature = feature;
    }
  }

  private static final String SWITCH = "millrace.write.late_inversion.enabled";
  private static final String MAPPING =
      "{\"properties\":{"
          + "\"message\":{\"type\":\"log_text\",\"copy_to\":\"all\"},"
          + "\"all\":{\"type\":\"log_text\"},"
          + "\"kept\":{\"type\":\"log_text\",\"store\":true},"
          + "\"name\":{\"type\":\"keyword\",\"fields\":{\"words\":{\"type\":\"log_text\"}}},"
          + "\"steps\":{\"type\":\"nested\",\"properties\":{\"line\":{\"type\":\"log_text\"}}}}}";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  private double gathered() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(Host.class)
        .get(0)
        .feature
        .metrics()
        .get(0)
        .samples()
        .get()
        .get(0)
        .value();
  }

  private void enable(Boolean on) {
    Settings.Builder settings = Settings.builder();
    if (on == null) {
      settings.putNull(SWITCH);
    } else {
      settings.put(SWITCH, on);
    }
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  private void create(String index, boolean sorted) {
    Settings.Builder settings = Settings.builder().put("index.number_of_shards", 1);
    if (sorted) {
      settings.put("index.sort.field", "name");
    }
    String mapping = sorted ? MAPPING.replace("\"nested\"", "\"object\"") : MAPPING;
    client().admin().indices().prepareCreate(index).setSettings(settings).setMapping(mapping).get();
    ensureGreen(index);
  }

  private void index(String index, int id, int version) {
    String line = "session " + id * 7 + " opened by u" + id % 5 + " at 10.0." + id + "." + version;
    client()
        .prepareIndex(index)
        .setId("" + id)
        .setSource(
            "message",
            List.of(line, "again u" + id % 5),
            "kept",
            line,
            "name",
            "name-" + (100 - id),
            "steps",
            Map.of("line", "step " + version))
        .get();
  }

  private void load(String index, int from, int to) {
    for (int id = from; id < to; id++) {
      index(index, id, 1);
      if (id % 10 == 3) {
        index(index, id - 2, 2); // an update within the segment
      }
      if (id % 25 == 24) {
        client().prepareDelete(index, "" + (id - 9)).get();
        client().admin().indices().prepareFlush(index).get();
      }
    }
    client().admin().indices().prepareRefresh(index).get();
  }

  private Set<String> ids(String index, QueryBuilder query) {
    Set<String> out = new TreeSet<>();
    for (SearchHit hit :
        client().prepareSearch(index).setQuery(query).setSize(1_000).get().getHits()) {
      out.add(hit.getId());
    }
    return out;
  }

  private TreeMap<String, Set<String>> answers(String index) {
    TreeMap<String, Set<String>> out = new TreeMap<>();
    for (String field : List.of("message", "all", "kept", "name.words")) {
      for (int i = 0; i < 5; i++) {
        out.put(field + " u" + i, ids(index, matchQuery(field, "u" + i)));
        out.put(field + " ip " + i, ids(index, matchQuery(field, "10.0." + i * 9 + ".1")));
        out.put(field + " phrase " + i, ids(index, matchPhraseQuery(field, "opened by u" + i)));
        out.put(field + " prefix " + i, ids(index, prefixQuery(field, "1" + i)));
      }
      out.put(field + " name", ids(index, matchQuery(field, "name")));
    }
    return out;
  }

  public void testSameAnswersAsWithLucenesInversion() {
    for (boolean sorted : List.of(false, true)) {
      double before = gathered();
      enable(false);
      create("lucene" + sorted, sorted);
      load("lucene" + sorted, 0, 100);
      assertEquals("a shard opened while it is off", before, gathered(), 0);
      enable(true);
      create("ours" + sorted, sorted);
      load("ours" + sorted, 0, 100);
      assertTrue(gathered() > before);
      assertEquals(answers("lucene" + sorted), answers("ours" + sorted));
      assertFalse(ids("ours" + sorted, matchQuery("all", "u3")).isEmpty());
      for (String index : List.of("lucene" + sorted, "ours" + sorted)) {
        client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
        client().admin().indices().prepareRefresh(index).get();
      }
      assertEquals(answers("lucene" + sorted), answers("ours" + sorted));
      client().admin().indices().prepareDelete("ours" + sorted).get();
    }
    enable(null);
  }

  /** Segments of before and after stand in one index: an update of the plugin, or the switch. */
  public void testAnIndexThatWasWrittenBefore() {
    enable(false);
    create("lucene", false);
    create("mixed", false);
    load("lucene", 0, 100);
    load("mixed", 0, 50);
    enable(true);
    client().admin().indices().prepareClose("mixed").get();
    client().admin().indices().prepareOpen("mixed").get();
    ensureGreen("mixed");
    load("mixed", 50, 100);
    assertTrue(gathered() > 0);
    assertEquals(answers("lucene"), answers("mixed"));
    enable(false);
    client().admin().indices().prepareClose("mixed").get();
    client().admin().indices().prepareOpen("mixed").get();
    ensureGreen("mixed");
    assertEquals(answers("lucene"), answers("mixed"));
    client().admin().indices().prepareForceMerge("mixed").setMaxNumSegments(1).get();
    assertEquals(answers("lucene"), answers("mixed"));
    enable(null);
  }

  /** What is stored for the user goes on to be stored, and is left to Lucene. */
  public void testAStoredField() {
    create("kept", false);
    client().prepareIndex("kept").setId("1").setSource("kept", "user u1 came").get();
    assertEquals(0, gathered(), 0);
    client().admin().indices().prepareRefresh("kept").get();
    SearchHit hit =
        client()
            .prepareSearch("kept")
            .setQuery(matchQuery("kept", "u1"))
            .addStoredField("kept")
            .get()
            .getHits()
            .getAt(0);
    assertEquals("user u1 came", hit.field("kept").getValue());
  }
}
