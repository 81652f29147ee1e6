package io.millrace.write.primarykeyfilter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * One node; with assertions on, stock's engine checks at every append that the document really does
 * not exist (InternalEngine.assertDocDoesNotExist), so each operation here is also such a check.
 */
public class PrimaryKeyFilterNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.write.primary_key_filter.enabled";
  private static final String MEMORY = "millrace.write.primary_key_filter.memory";
  private static final String SHARE = "millrace.write.primary_key_filter.max_known_share";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(PrimaryKeyFilterHost.class);
  }

  @Override
  public void tearDown() throws Exception {
    set(Settings.builder().putNull(SWITCH).putNull(MEMORY).putNull(SHARE));
    super.tearDown();
  }

  private PrimaryKeyFilterFeature feature() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(PrimaryKeyFilterHost.class)
        .get(0)
        .feature();
  }

  private void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  private void plainIndex(String name) {
    createIndex(
        name,
        Settings.builder()
            .put("index.number_of_shards", 1)
            .put("index.number_of_replicas", 0)
            .put("index.refresh_interval", "-1")
            .build());
  }

  private IndexResponse index(String index, String id, int n) {
    return client().prepareIndex(index).setId(id).setSource("n", n).get();
  }

  private void awaitComplete() throws Exception {
    assertBusy(
        () -> assertTrue(feature().shards().stream().anyMatch(ShardIds::complete)),
        120,
        TimeUnit.SECONDS);
  }

  private void awaitInactive(Inactive reason) throws Exception {
    assertBusy(
        () -> assertTrue(feature().shards().stream().anyMatch(s -> s.inactive() == reason)),
        120,
        TimeUnit.SECONDS);
  }

  public void testTheFirstOwnIdBeginsIt() throws Exception {
    plainIndex("logs");
    for (int i = 0; i < 50; i++) {
      client().prepareIndex("logs").setSource("n", i).get();
    }
    assertEquals("generated ids need no filter", 0, feature().memory().used());
    assertTrue(feature().shards().stream().noneMatch(ShardIds::hasFilter));
    index("logs", "mine", 1);
    awaitComplete();
    assertTrue(feature().memory().used() > 0);
    long appended = feature().counters().appended();
    assertEquals(Result.CREATED, index("logs", "other", 1).getResult());
    assertEquals(appended + 1, feature().counters().appended());
    long lookedUp = feature().counters().lookedUp();
    assertEquals("what was there before it is known", 2, index("logs", "mine", 2).getVersion());
    assertEquals(2, index("logs", "other", 2).getVersion());
    assertEquals(lookedUp + 2, feature().counters().lookedUp());
    expectThrows(
        VersionConflictEngineException.class,
        () -> client().prepareIndex("logs").setId("other").setSource("n", 3).setCreate(true).get());
    assertEquals(2, client().prepareGet("logs", "other").get().getSource().get("n"));

    long bytes =
        getInstanceFromNode(CircuitBreakerService.class)
            .getBreaker(CircuitBreaker.FIELDDATA)
            .getUsed();
    assertTrue("counted by the breaker: " + bytes, bytes >= feature().memory().used());
    client().admin().indices().prepareDelete("logs").get();
    assertBusy(() -> assertEquals(0, feature().memory().used()), 120, TimeUnit.SECONDS);
    assertTrue(feature().shards().isEmpty());
  }

  public void testRandomOperationsAnswerAsStock() throws Exception {
    for (int round = 0; round < 3; round++) {
      long seed = randomLong();
      logger.info("seed of the operations: {}", seed);
      TwinIndices.create(client(), 0, round == 2 ? "-1ms" : "1h");
      ensureGreen();
      TwinIndices twins = new TwinIndices(seed, 30);
      Random random = new Random(seed);
      if (round > 0) {
        index("stock", "first", 1);
        index("filtered", "first", 1);
        awaitComplete();
      }
      long appended = feature().counters().appended();
      for (int step = 0; step < 250; step++) {
        twins.bulk(client());
        switch (random.nextInt(12)) {
          case 0 -> twins.refresh(client());
          case 1 -> twins.flush(client());
          case 2 -> twins.compare(client(), "_primary");
          case 3, 4, 5 -> twins.get(client());
          case 6 -> {
            if (random.nextInt(5) == 0) {
              twins.merge(client());
            }
          }
          case 7 -> {
            if (random.nextInt(4) == 0) {
              set(Settings.builder().put(SWITCH, random.nextBoolean()));
            }
          }
          case 8 -> {
            if (random.nextInt(4) == 0) {
              client().admin().indices().prepareClose("stock", "filtered").get();
              client().admin().indices().prepareOpen("stock", "filtered").get();
              ensureGreen();
            }
          }
          default -> {}
        }
      }
      twins.refresh(client());
      twins.compare(client(), "_primary");
      if (round > 0) {
        assertTrue("the filter was used", feature().counters().appended() > appended);
      }
      client().admin().indices().prepareDelete("stock", "filtered").get();
      set(Settings.builder().putNull(SWITCH));
    }
  }

  public void testThreadsWithTheSameIdsCreateEachOnce() throws Exception {
    plainIndex("logs");
    int threads = 4;
    int ids = 3_000;
    Map<String, AtomicInteger> created = new ConcurrentHashMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Random random = new Random(randomLong());
        running.add(
            pool.submit(() -> {
              for (int bulk = 0; bulk < 60; bulk++) {
                BulkRequestBuilder request = client().prepareBulk();
                for (int i = 0; i < 100; i++) {
                  request.add(
                      client()
                          .prepareIndex("logs")
                          .setId("id" + random.nextInt(ids))
                          .setSource("n", i));
                }
                for (BulkItemResponse item : request.get()) {
                  assertFalse(item.getFailureMessage(), item.isFailed());
                  if (item.getResponse().getResult() == Result.CREATED) {
                    created
                        .computeIfAbsent(item.getId(), id -> new AtomicInteger())
                        .incrementAndGet();
                  }
                }
                if (random.nextInt(10) == 0) {
                  client().admin().indices().prepareRefresh("logs").get();
                }
              }
            }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    created.forEach((id, times) -> assertEquals(id, 1, times.get()));
    client().admin().indices().prepareRefresh("logs").get();
    assertEquals(
        created.size(),
        client()
            .prepareSearch("logs")
            .setSize(0)
            .setTrackTotalHits(true)
            .get()
            .getHits()
            .getTotalHits()
            .value());
    // whether the filter was complete before the last of these ids was there is up to the machine
    awaitComplete();
    long appended = feature().counters().appended();
    assertEquals(1, index("logs", "one more", 0).getVersion());
    assertEquals(appended + 1, feature().counters().appended());
  }

  /** Ids that only stock's version map remembers: deleted, and gone from the segments. */
  public void testADeleteBeforeTheFilterKeepsItsVersion() throws Exception {
    plainIndex("logs");
    String generated = client().prepareIndex("logs").setSource("n", 1).get().getId();
    client().prepareDelete("logs", generated).get();
    client().prepareDelete("logs", "never-there").get();
    client().admin().indices().prepareRefresh("logs").get();
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    index("logs", "mine", 1);
    assertBusy(
        () -> assertTrue(feature().shards().stream().anyMatch(ShardIds::hasFilter)),
        120,
        TimeUnit.SECONDS);
    assertEquals(3, index("logs", generated, 2).getVersion());
    assertEquals(2, index("logs", "never-there", 2).getVersion());
    assertTrue(
        "waits until stock has forgotten the deletes",
        feature().shards().stream().noneMatch(ShardIds::complete));
  }

  public void testRestsWhereMemoryIsShort() throws Exception {
    set(Settings.builder().put(MEMORY, "40kb"));
    plainIndex("logs");
    index("logs", "mine", 1);
    awaitComplete();
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < 2 * IdFilter.LEAST_IDS; i++) {
      bulk.add(client().prepareIndex("logs").setId("id" + i).setSource("n", i));
    }
    assertFalse(bulk.get().hasFailures());
    awaitInactive(Inactive.SATURATED);
    assertEquals(0, feature().memory().used());
    assertEquals(2, index("logs", "id7", 2).getVersion());
    assertEquals(1, index("logs", "fresh", 2).getVersion());

    // more memory, and the switch moved: it begins again with all that is there
    set(Settings.builder().put(MEMORY, "10mb").put(SWITCH, false));
    set(Settings.builder().put(SWITCH, true));
    assertEquals(3, index("logs", "id7", 3).getVersion());
    awaitComplete();
    long lookedUp = feature().counters().lookedUp();
    assertEquals(2, index("logs", "id8", 3).getVersion());
    assertEquals(lookedUp + 1, feature().counters().lookedUp());
  }

  public void testRestsWhereNearlyAllIdsAreKnown() throws Exception {
    set(Settings.builder().put(SHARE, 0.5));
    plainIndex("logs");
    index("logs", "mine", 1);
    awaitComplete();
    Map<String, Integer> sent = new HashMap<>();
    for (int round = 0; round < 20 && feature().memory().used() > 0; round++) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = 0; i < 10_000; i++) {
        String id = "id" + i % 2_000;
        sent.merge(id, 1, Integer::sum);
        bulk.add(client().prepareIndex("logs").setId(id).setSource("n", i));
      }
      assertFalse(bulk.get().hasFailures());
    }
    awaitInactive(Inactive.NOT_PAYING);
    assertEquals(0, feature().memory().used());
    assertEquals(sent.get("id5") + 1, index("logs", "id5", 0).getVersion());
    assertEquals(
        List.of(0.0, 1.0, 0.0),
        feature().metrics().get(6).samples().get().stream().map(s -> s.value()).toList());
  }

  private long maxUnsafeTimestamp(String index) {
    return client()
        .admin()
        .indices()
        .prepareStats(index)
        .clear()
        .setSegments(true)
        .get()
        .getPrimaries()
        .getSegments()
        .getMaxUnsafeAutoIdTimestamp();
  }

  /** What the append plan borrows from generated ids takes nothing from them. */
  public void testGeneratedIdsKeepTheirOwnAppends() throws Exception {
    plainIndex("logs");
    index("logs", "mine", 1);
    awaitComplete();
    for (int i = 0; i < 20; i++) {
      index("logs", "own" + i, i);
    }
    assertTrue(feature().counters().appended() > 0);
    String generated = client().prepareIndex("logs").setSource("n", 1).get().getId();
    assertEquals("no timestamp became unsafe", -1, maxUnsafeTimestamp("logs"));
    assertEquals("a generated id is known as well", 2, index("logs", generated, 2).getVersion());
  }

  public void testBadSettingsAreRefusedByName() {
    for (Settings.Builder bad :
        List.of(Settings.builder().put(MEMORY, "much"), Settings.builder().put(SHARE, -0.1))) {
      String key = bad.keys().iterator().next();
      IllegalArgumentException refused =
          expectThrows(IllegalArgumentException.class, () -> set(bad));
      assertTrue(refused.getMessage(), refused.getMessage().contains(key));
    }
  }
}
