package io.millrace.write.primarykeyfilter;

import java.util.ArrayList;
import java.util.Collection;
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
import org.opensearch.common.settings.Settings;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * A shard gets another engine while its filter is being built, as a copy does that is promoted or
 * follows a promoted one: the new engine knows nothing of the old one's filter.
 */
public class PrimaryKeyFilterResetNodeTests extends OpenSearchSingleNodeTestCase {

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(PrimaryKeyFilterHost.class);
  }

  private PrimaryKeyFilterFeature feature() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(PrimaryKeyFilterHost.class)
        .get(0)
        .feature();
  }

  private IndexShard shard() {
    return getInstanceFromNode(IndicesService.class)
        .indexServiceSafe(resolveIndex("logs"))
        .getShard(0);
  }

  private void index(String gcDeletes) {
    createIndex(
        "logs",
        Settings.builder()
            .put("index.number_of_shards", 1)
            .put("index.number_of_replicas", 0)
            .put("index.gc_deletes", gcDeletes)
            .put("index.refresh_interval", "-1")
            .build());
  }

  private long write(String id) {
    return client().prepareIndex("logs").setId(id).setSource("n", 1).get().getVersion();
  }

  /** A delete keeps the filter waiting for as long as the version map remembers it. */
  public void testAFilterThatWaitsGoesWithItsEngine() throws Exception {
    index("1h");
    String generated = client().prepareIndex("logs").setSource("n", 1).get().getId();
    client().prepareDelete("logs", generated).get();
    assertEquals(1, write("mine"));
    assertBusy(
        () -> assertTrue(feature().shards().stream().anyMatch(ShardIds::hasFilter)),
        120,
        TimeUnit.SECONDS);
    assertTrue("half-built", feature().shards().stream().noneMatch(ShardIds::complete));

    shard().resetToWriteableEngine();

    assertEquals("the filter of the closed engine is given back", 0, feature().memory().used());
    assertEquals(1, feature().shards().size());
    assertEquals(2, write("mine"));
    assertEquals(1, write("other"));
    assertEquals(2, write("other"));
    assertEquals(3, write("mine"));
    client().admin().indices().prepareDelete("logs").get();
    assertBusy(() -> assertEquals(0, feature().memory().used()), 120, TimeUnit.SECONDS);
  }

  public void testWritersBesideResetsCreateEachIdOnce() throws Exception {
    index("-1ms");
    long seed = randomLong();
    logger.info("seed of the ids: {}", seed);
    Map<String, AtomicInteger> created = new ConcurrentHashMap<>();
    AtomicInteger writing = new AtomicInteger(2);
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        Random random = new Random(seed + t);
        running.add(
            pool.submit(() -> {
              try {
                for (int bulk = 0; bulk < 40; bulk++) {
                  write(random, created);
                }
              } finally {
                writing.decrementAndGet();
              }
            }));
      }
      do {
        shard().resetToWriteableEngine();
      } while (writing.get() > 0);
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
  }

  private void write(Random random, Map<String, AtomicInteger> created) {
    BulkRequestBuilder request = client().prepareBulk();
    for (int i = 0; i < 100; i++) {
      request.add(
          client().prepareIndex("logs").setId("id" + random.nextInt(2_000)).setSource("n", i));
    }
    for (BulkItemResponse item : request.get()) {
      assertFalse(item.getFailureMessage(), item.isFailed());
      if (item.getResponse().getResult() == Result.CREATED) {
        created.computeIfAbsent(item.getId(), id -> new AtomicInteger()).incrementAndGet();
      }
    }
  }
}
