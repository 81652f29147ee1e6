package io.millrace.storage.offheapcache;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.corpus.LogGenerator;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.zstandard.ZstandardFeature;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: the settings, what a fetch finds, and what gives memory back. */
public class OffHeapCacheNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 2000;

  /** The cache and the codec that uses it. */
  public static final class Host extends FeaturePlugin {
    final OffHeapCacheFeature cache;

    public Host() {
      this(new OffHeapCacheFeature());
    }

    private Host(OffHeapCacheFeature cache) {
      super(List.of(new ZstandardFeature(), new ColumnarSourceFeature(), cache));
      this.cache = cache;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  @After
  public void unset() {
    set("enable", null);
    set("size", null);
  }

  private final List<String> documents = new ArrayList<>();

  private BlockCache cache() {
    return getInstanceFromNode(PluginsService.class).filterPlugins(Host.class).get(0).cache.cache();
  }

  private void set(String key, String value) {
    String name = "indices.segment_memory.off_heap." + key;
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(
                value == null
                    ? Settings.builder().putNull(name)
                    : Settings.builder().put(name, value))
            .get());
  }

  private void createAndFill(String index, String codec) {
    Settings.Builder settings = Settings.builder().put("index.number_of_shards", 1);
    if (codec.equals("columns")) {
      settings.put("index.millrace.columnar_source.enabled", true);
    } else {
      settings.put("index.codec", codec);
    }
    createIndex(index, settings.build());
    if (documents.isEmpty()) {
      LogGenerator generator = new LogGenerator(4);
      for (int i = 0; i < DOCUMENTS; i++) {
        documents.add(new String(generator.next(), StandardCharsets.UTF_8));
      }
    }
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < DOCUMENTS; i++) {
      bulk.add(
          client()
              .prepareIndex(index)
              .setId(Integer.toString(i))
              .setSource(documents.get(i), XContentType.JSON));
    }
    assertFalse(bulk.get().hasFailures());
    client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh(index).get();
  }

  private void readAll(String index) {
    for (int i = 0; i < DOCUMENTS; i += 10) {
      assertEquals(
          documents.get(i),
          client()
              .prepareGet(index, Integer.toString(i))
              .setRealtime(false)
              .get()
              .getSourceAsString());
    }
  }

  public void testOffByDefaultAndOnAtRunTime() {
    createAndFill("logs", "zstandard");
    readAll("logs");
    assertEquals(0, cache().counters().misses.sum());
    assertEquals(0, cache().figures().allocatedBytes());

    set("enable", "true");
    long bound = cache().figures().capacityBytes();
    assertTrue("bound " + bound, bound > 0 && bound <= 500L << 20);
    readAll("logs");
    long misses = cache().counters().misses.sum();
    assertTrue(misses > 0);
    assertTrue(cache().figures().blocks() > 0);
    readAll("logs");
    assertEquals(misses, cache().counters().misses.sum());
    assertTrue(cache().counters().hits.sum() >= DOCUMENTS / 10);
    assertTrue(cache().figures().allocatedBytes() <= bound);

    set("size", "2mb");
    assertEquals(2L << 20, cache().figures().capacityBytes());
    assertEquals(0, cache().figures().blocks());
    readAll("logs");
    assertTrue(cache().figures().blocks() > 0);

    set("enable", "false");
    assertEquals(0, cache().figures().capacityBytes());
    assertEquals(0, cache().figures().allocatedBytes());
    readAll("logs");
  }

  public void testClosedAndDeletedIndicesLeaveNothing() throws Exception {
    set("enable", "true");
    set("size", "8mb");
    for (String codec : List.of("zstandard", "zstandard_16k", "zstandard_archive", "columns")) {
      String index = codec.replace('_', '-');
      createAndFill(index, codec);
      readAll(index);
      readAll(index);
      long blocks = cache().figures().blocks();
      assertTrue(codec, blocks > 0);
      if (codec.equals("columns")) {
        assertTrue(cache().viewBytes() > 0);
      }
      if (codec.equals("zstandard")) {
        assertAcked(client().admin().indices().prepareClose(index).get());
        assertBusy(() -> assertEquals(0, cache().figures().blocks()), 120, TimeUnit.SECONDS);
        assertAcked(client().admin().indices().prepareOpen(index).get());
        ensureGreen(index);
        readAll(index);
        assertTrue(cache().figures().blocks() > 0);
      }
      assertAcked(client().admin().indices().prepareDelete(index).get());
      assertBusy(
          () -> {
            assertEquals(0, cache().figures().blocks());
            assertEquals(0, cache().figures().usedBytes());
            assertEquals(0, cache().viewBytes());
          },
          120,
          TimeUnit.SECONDS);
    }
  }

  /** A merge reads every block once and must not push out what searches need. */
  public void testMergesLeaveTheCacheAlone() {
    for (String codec : List.of("zstandard", "columns")) {
      mergeLeavesTheCacheAlone(codec);
    }
  }

  private void mergeLeavesTheCacheAlone(String codec) {
    set("enable", "true");
    createAndFill(codec, codec);
    long before = cache().counters().misses.sum();
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings(codec)
            .setSettings(Settings.builder().put("index.refresh_interval", "1h"))
            .get());
    client().prepareDelete(codec, "1").setRefreshPolicy(RefreshPolicy.IMMEDIATE).get();
    client().admin().indices().prepareForceMerge(codec).setMaxNumSegments(1).get();
    assertEquals(before, cache().counters().misses.sum());
    assertEquals(0, cache().figures().blocks());
  }

  public void testBadSizeIsRefused() {
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> set("size", "12kb"));
    assertTrue(e.getMessage(), e.getMessage().contains("indices.segment_memory.off_heap.size"));
    e = expectThrows(IllegalArgumentException.class, () -> set("enable", "maybe"));
    assertTrue(e.getMessage(), e.getMessage().contains("maybe"));
  }
}
