package io.millrace.pipelines.retention;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.settings.get.GetSettingsResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The journal of what was deleted outlives the node that deleted. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 3,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class JournalNodeTests extends OpenSearchIntegTestCase {
  private static final String PREFIX = "millrace.pipelines.retention.";

  /** Refuses searches of the journal while it is told to, and notes when they came. */
  public static final class Refusing extends Plugin implements ActionPlugin {
    static final List<Long> CAME = Collections.synchronizedList(new ArrayList<>());
    static volatile boolean on;

    @Override
    public List<ActionFilter> getActionFilters() {
      return List.of(
          new ActionFilter.Simple() {
            @Override
            public int order() {
              return 0;
            }

            @Override
            protected boolean apply(
                String action, ActionRequest request, ActionListener<?> listener) {
              boolean refused =
                  on
                      && request instanceof SearchRequest search
                      && List.of(search.indices()).contains(JournalIndex.NAME);
              if (refused) {
                CAME.add(System.nanoTime());
                listener.onFailure(new IllegalStateException("not now"));
              }
              return !refused;
            }
          });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(RetentionHost.class);
    plugins.add(Refusing.class);
    return plugins;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(PREFIX + "interval", "10d")
        .put(PREFIX + "enabled", true)
        .put(PREFIX + "dry_run", false)
        .putList(PREFIX + "rules", "logs-* max_age=3d")
        .build();
  }

  /** Of the elected cluster manager. */
  private static Retention retention() {
    return internalCluster()
        .getInstance(PluginsService.class, internalCluster().getClusterManagerName())
        .filterPlugins(RetentionHost.class)
        .get(0)
        .retention();
  }

  private static List<Object> targets() {
    List<Object> targets = new ArrayList<>();
    for (Object entry : (List<?>) retention().report().get("journal")) {
      targets.add(((Map<?, ?>) entry).get("target"));
    }
    return targets;
  }

  private void delete(String... names) throws Exception {
    createIndex(names);
    ensureGreen(names);
    CountDownLatch done = new CountDownLatch(1);
    retention().look(done::countDown);
    done.await();
    for (String name : names) {
      assertFalse(indexExists(name));
    }
  }

  private static List<String> days(int from, int to) {
    List<String> days = new ArrayList<>();
    for (int day = from; day <= to; day++) {
      days.add("logs-2020.01.0" + day);
    }
    return days;
  }

  public void testEveryManagerKnowsWhatThoseBeforeItDeleted() throws Exception {
    delete("logs-2020.01.01", "logs-2020.01.02");
    assertEquals(days(1, 2), targets());
    ensureGreen(JournalIndex.NAME); // the only copy must not go with its node
    internalCluster().stopCurrentClusterManagerNode();
    ensureStableCluster(2);
    assertBusy(() -> assertEquals("after another was elected", days(1, 2), targets()), 1, MINUTES);
    delete("logs-2020.01.03");
    assertEquals(days(1, 3), targets());
    internalCluster().fullRestart();
    ensureStableCluster(2);
    assertBusy(() -> assertEquals("after a restart of all", days(1, 3), targets()), 1, MINUTES);
    assertNull(retention().report().get("journal_incomplete"));
    Map<?, ?> first = (Map<?, ?>) ((List<?>) retention().report().get("journal")).get(0);
    assertEquals("delete", first.get("action"));
    assertEquals("logs-* max_age=3d", first.get("rule"));
    assertEquals("done", first.get("result"));
    assertTrue(String.valueOf(first.get("reason")).contains("its last document is"));
  }

  public void testAReadThatFailsIsTriedAgainAfterAWhileHoweverManyStatesCome() throws Exception {
    delete("logs-2020.01.01");
    ensureGreen(JournalIndex.NAME);
    Refusing.on = true;
    try {
      internalCluster().stopCurrentClusterManagerNode();
      ensureStableCluster(2);
      Refusing.CAME.clear();
      for (int i = 0; i < 10; i++) {
        createIndex("other-" + i);
      }
      assertBusy(() -> assertTrue(Refusing.CAME.size() >= 3), 1, MINUTES);
    } finally {
      Refusing.on = false;
    }
    List<Long> came = List.copyOf(Refusing.CAME);
    for (int i = 1; i < came.size(); i++) {
      long apart = came.get(i) - came.get(i - 1);
      assertTrue(came + ": two reads within " + apart + " ns", apart >= SECONDS.toNanos(1));
    }
    assertBusy(() -> assertEquals(List.of("logs-2020.01.01"), targets()), 1, MINUTES);
  }

  public void testWhatCannotBeWrittenNowIsWrittenLater() throws Exception {
    delete("logs-2020.01.01");
    block(true);
    delete("logs-2020.01.02");
    assertEquals("shown from memory", days(1, 2), targets());
    assertEquals(1, written());
    block(false);
    assertBusy(() -> assertEquals(2, written()), 1, MINUTES);
    internalCluster().fullRestart();
    assertBusy(() -> assertEquals(days(1, 2), targets()), 1, MINUTES);
  }

  /** As OpenSearch blocks every index of a node whose disk is at the flood stage. */
  private static void block(boolean blocked) {
    Settings.Builder settings = Settings.builder();
    if (blocked) {
      settings.put(IndexMetadata.SETTING_READ_ONLY_ALLOW_DELETE, true);
    } else {
      settings.putNull(IndexMetadata.SETTING_READ_ONLY_ALLOW_DELETE);
    }
    client().admin().indices().prepareUpdateSettings(JournalIndex.NAME).setSettings(settings).get();
  }

  private static long written() {
    client().admin().indices().prepareRefresh(JournalIndex.NAME).get();
    return client()
        .prepareSearch(JournalIndex.NAME)
        .setSize(0)
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  public void testTheIndexIsHiddenAndOfTheSystem() throws Exception {
    delete("logs-2020.01.01");
    IndexMetadata index =
        client()
            .admin()
            .cluster()
            .prepareState()
            .get()
            .getState()
            .metadata()
            .index(JournalIndex.NAME);
    assertTrue(index.isSystem());
    GetSettingsResponse settings =
        client().admin().indices().prepareGetSettings(JournalIndex.NAME).get();
    Settings its = settings.getIndexToSettings().get(JournalIndex.NAME);
    assertEquals("true", its.get(IndexMetadata.SETTING_INDEX_HIDDEN));
    assertTrue(
        "nothing of the plugin that a node without it would not know: " + its.keySet(),
        its.keySet().stream().noneMatch(key -> key.contains("millrace")));
  }
}
