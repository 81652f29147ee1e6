package io.millrace.storage.fileaccess;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexService;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.store.Store;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: what a preset does to the files of a real index. */
public class FileAccessNodeTests extends OpenSearchSingleNodeTestCase {
  /** The feature without the rest of the product. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new FileAccessFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private IndexService create(String name, Settings.Builder settings) {
    return createIndex(
        name,
        settings
            .put("index.number_of_shards", 1)
            .put("index.number_of_replicas", 0)
            .put("index.store.type", "hybridfs")
            .put("index.merge.policy", "log_byte_size")
            .put("index.merge.log_byte_size_policy.no_cfs_ratio", "0.0")
            .build());
  }

  /** The class that reads the stored fields of the first segment. */
  private String reader(Index index) throws Exception {
    client()
        .prepareIndex(index.getName())
        .setSource("message", "x")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    client().admin().indices().prepareForceMerge(index.getName()).setMaxNumSegments(1).get();
    client().admin().indices().prepareFlush(index.getName()).setForce(true).get();
    IndexShard shard =
        getInstanceFromNode(IndicesService.class).indexServiceSafe(index).getShard(0);
    Store store = shard.store();
    for (String file : store.directory().listAll()) {
      if (file.endsWith(".fdt")) {
        try (IndexInput input = store.directory().openInput(file, IOContext.DEFAULT)) {
          return FilterIndexInput.unwrap(input).getClass().getName();
        }
      }
    }
    throw new AssertionError("no stored fields outside of a compound file");
  }

  public void testStoredFieldsAreMappedForLogs() throws Exception {
    String stock = reader(create("stock", Settings.builder()).index());
    String logs =
        reader(
            create(
                    "logs",
                    Settings.builder().put("index.millrace.file_access", "map_stored_fields"))
                .index());
    assertTrue(stock, stock.contains("NIOFS"));
    assertTrue(logs, logs.contains("MemorySegment"));
    Settings settings =
        create("search", Settings.builder().put("index.millrace.file_access", "map_and_load"))
            .getIndexSettings()
            .getSettings();
    assertEquals(
        List.of("nvd", "dvd", "tim", "tip", "doc"), settings.getAsList("index.store.preload"));
    assertEquals("1", Integer.toString(documents("logs")));
  }

  private int documents(String index) {
    return (int) client().prepareSearch(index).setSize(0).get().getHits().getTotalHits().value();
  }

  public void testSwitchedOffItAddsNothing() {
    String key = "millrace.storage.file_access.enabled";
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put(key, false))
            .get());
    try {
      Settings settings =
          create("off", Settings.builder().put("index.millrace.file_access", "map_and_load"))
              .getIndexSettings()
              .getSettings();
      assertFalse(settings.hasValue("index.store.preload"));
    } finally {
      client()
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setTransientSettings(Settings.builder().putNull(key))
          .get();
    }
  }

  public void testUnknownPreset() {
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () -> create("bad", Settings.builder().put("index.millrace.file_access", "fast")));
    assertTrue(
        e.getMessage(),
        e.getMessage().contains("use one of [none, map_stored_fields, map_and_load]"));
  }
}
