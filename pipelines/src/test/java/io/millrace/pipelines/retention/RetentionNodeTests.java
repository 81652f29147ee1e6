package io.millrace.pipelines.retention;

import static org.opensearch.search.sort.SortOrder.ASC;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.opensearch.action.admin.indices.alias.Alias;
import org.opensearch.action.admin.indices.datastream.CreateDataStreamAction;
import org.opensearch.action.admin.indices.datastream.DeleteDataStreamAction;
import org.opensearch.action.admin.indices.rollover.RolloverRequest;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.DataStream;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What is there after a look, on a node whose clock the test turns. */
public class RetentionNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String PREFIX = "millrace.pipelines.retention.";
  private static final long DAY = TimeValue.timeValueDays(1).millis();

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(RetentionHost.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  /** The node looks by itself only long after the test. */
  @Override
  protected Settings nodeSettings() {
    return Settings.builder().put(PREFIX + "interval", "10d").build();
  }

  @Override
  public void tearDown() throws Exception {
    client()
        .execute(
            DeleteDataStreamAction.INSTANCE,
            new DeleteDataStreamAction.Request(new String[] {"event*"}))
        .get();
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().putNull("millrace.*"))
        .get();
    super.tearDown();
  }

  private RetentionHost host() {
    return getInstanceFromNode(PluginsService.class).filterPlugins(RetentionHost.class).get(0);
  }

  private void set(Settings.Builder settings) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(settings.normalizePrefix(PREFIX))
        .get();
  }

  private void on(String... rules) {
    set(Settings.builder().put("enabled", true).put("dry_run", false).putList("rules", rules));
  }

  private List<?> plan() {
    return (List<?>) host().retention().report().get("plan");
  }

  private List<?> journal() {
    return (List<?>) host().retention().report().get("journal");
  }

  private void look() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    host().retention().look(done::countDown);
    done.await();
  }

  private Set<String> indices() {
    return Set.copyOf(
        Arrays.asList(
            client().admin().indices().prepareGetIndex().addIndices("*").get().indices()));
  }

  private void create(String... names) {
    for (String name : names) {
      createIndex(
          name,
          Settings.builder()
              .put("index.number_of_shards", 1)
              .put("index.number_of_replicas", 0)
              .build());
    }
  }

  public void testADryRunShowsAndDeletesNothing() throws Exception {
    create("logs-2026.09.01", "logs-2026.09.30");
    set(Settings.builder().putList("rules", "logs-* max_age=7d"));
    look();
    assertEquals("off, the plan is shown", 1, plan().size());
    set(Settings.builder().put("enabled", true));
    look();
    assertEquals("dry run is the default", 1, plan().size());
    assertEquals("logs-2026.09.01", ((Map<?, ?>) plan().get(0)).get("target"));
    assertEquals(Set.of("logs-2026.09.01", "logs-2026.09.30"), indices());
    assertEquals(List.of(), journal());
  }

  public void testDaysGoOneByOneAndTheJournalSaysWhy() throws Exception {
    on("logs-* max_age=3d");
    host().clock().set(java.time.Instant.parse("2026-10-01T13:00:00Z").toEpochMilli());
    create("unrelated", "logs-no-day");
    for (int day = 1; day <= 9; day++) {
      create("logs-2026.10.0" + day);
      look();
      int oldest = Math.max(1, day - 3);
      assertEquals(day - oldest + 1 + 2, indices().size());
      assertTrue(indices().contains("logs-2026.10.0" + oldest));
      host().clock().addAndGet(DAY);
    }
    assertEquals(5, journal().size());
    Map<?, ?> first = (Map<?, ?>) journal().get(0);
    assertEquals("delete", first.get("action"));
    assertEquals("logs-2026.10.01", first.get("target"));
    assertEquals("logs-* max_age=3d", first.get("rule"));
    assertEquals("done", first.get("result"));
  }

  public void testALookDeletesNoMoreThanItMay() throws Exception {
    create("logs-2020.01.01", "logs-2020.01.02", "logs-2020.01.03");
    on("logs-* max_age=3d");
    set(Settings.builder().put("max_steps", 2));
    look();
    assertEquals(Set.of("logs-2020.01.03"), indices());
    look();
    assertEquals(Set.of(), indices());
  }

  public void testTheIndexOfTheJournalKeepsTheNewestEntries() throws Exception {
    for (int day = 10; day < 30; day++) {
      create("logs-2020.01." + day);
    }
    on("logs-* max_age=3d");
    look();
    assertEquals(Set.of(), indices());
    assertEquals(20, journal().size());
    client().admin().indices().prepareRefresh(JournalIndex.NAME).get();
    List<Object> kept = new ArrayList<>();
    for (SearchHit hit :
        client()
            .prepareSearch(JournalIndex.NAME)
            .setSize(100)
            .addSort("order", ASC)
            .get()
            .getHits()) {
      kept.add(hit.getSourceAsMap().get("target"));
    }
    assertEquals(RetentionHost.KEPT, kept.size());
    assertEquals("logs-2020.01.18", kept.get(0));
    assertEquals("logs-2020.01.29", kept.get(11));
  }

  private String relief() throws Exception {
    CompletableFuture<String> said = new CompletableFuture<>();
    String node = getInstanceFromNode(ClusterService.class).localNode().getId();
    host()
        .retention()
        .relief()
        .next(node, ActionListener.wrap(said::complete, said::completeExceptionally));
    return said.get();
  }

  public void testWhatWouldFreeADisk() throws Exception {
    assertTrue(relief(), relief().startsWith("Retention has no rules (" + PREFIX + "rules)"));
    create("logs-2026.09.10", "logs-2026.09.20", "logs-2026.10.01");
    set(Settings.builder().putList("rules", "logs-* max_age=30d"));
    String coming = relief();
    assertTrue(coming, coming.startsWith("Retention has nothing to delete yet; first would go"));
    assertTrue(coming, coming.contains("[logs-2026.09.10], which frees ["));
    assertTrue(coming, coming.endsWith("on this node, because it is too old in [10.5d]"));
    set(Settings.builder().putList("rules", "logs-* max_age=5d"));
    String due = relief();
    assertTrue(due, due.contains("delete next [logs-2026.09.10], [logs-2026.09.20], which frees"));
    assertTrue(due, due.endsWith(PREFIX + "enabled is false, so nothing goes by itself"));
    assertFalse(due, due.contains("[0b]"));
    set(Settings.builder().put("enabled", true));
    assertTrue(relief(), relief().contains(PREFIX + "dry_run is true"));
    set(Settings.builder().putList("rules", "logs-* rollover_age=1d"));
    assertTrue(relief(), relief().contains("none of them has an index that may go"));
    assertEquals("asking deletes nothing", 3, indices().size());
  }

  public void testWriteIndicesAndHeldIndicesStay() throws Exception {
    client()
        .admin()
        .indices()
        .prepareCreate("logs-2020.01.01")
        .addAlias(new Alias("logs-now").writeIndex(true))
        .get();
    client()
        .admin()
        .indices()
        .prepareCreate("logs-2020.01.02")
        .setSettings(Settings.builder().put("index.millrace.retention.hold", true))
        .get();
    create("logs-2020.01.03");
    on("logs-* max_age=1d max_size=1b");
    look();
    assertEquals(Set.of("logs-2020.01.01", "logs-2020.01.02"), indices());
  }

  public void testADataStreamRollsOverAndKeepsItsWriteIndex() throws Exception {
    client()
        .execute(
            PutComposableIndexTemplateAction.INSTANCE,
            new PutComposableIndexTemplateAction.Request("t")
                .indexTemplate(
                    new ComposableIndexTemplate(
                        List.of("events"),
                        null,
                        null,
                        1L,
                        null,
                        null,
                        new ComposableIndexTemplate.DataStreamTemplate())))
        .get();
    client()
        .execute(CreateDataStreamAction.INSTANCE, new CreateDataStreamAction.Request("events"))
        .get();
    client()
        .prepareIndex("events")
        .setCreate(true)
        .setSource("@timestamp", "2026-10-01T00:00:00Z")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    host().clock().set(System.currentTimeMillis() + 2 * DAY);
    on("events rollover_age=1d max_age=3d");
    look();
    assertEquals(List.of(backing(1), backing(2)), backing());
    look();
    assertEquals("an empty write index does not roll over", 2, backing().size());
    host().clock().addAndGet(2 * DAY);
    look();
    assertEquals(List.of(backing(2)), backing());
    client().admin().indices().rolloverIndex(new RolloverRequest("events", null)).get();
    assertEquals(2, backing().size());
  }

  private static String backing(int generation) {
    return DataStream.getDefaultBackingIndexName("events", generation);
  }

  private List<String> backing() {
    return client()
        .admin()
        .cluster()
        .prepareState()
        .get()
        .getState()
        .metadata()
        .dataStreams()
        .get("events")
        .getIndices()
        .stream()
        .map(index -> index.getName())
        .toList();
  }

  public void testARuleThatCannotBeReadIsRefused() {
    IllegalArgumentException refused =
        expectThrows(IllegalArgumentException.class, () -> on("logs-* max_age=3d", "logs-*"));
    assertTrue(refused.getMessage(), refused.getMessage().contains("rules] has the line [logs-*]"));
  }
}
