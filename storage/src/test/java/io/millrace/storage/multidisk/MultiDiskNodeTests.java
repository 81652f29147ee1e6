package io.millrace.storage.multidisk;

import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.junit.After;
import org.opensearch.common.io.PathUtils;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.core.index.Index;
import org.opensearch.env.Environment;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * One node on two real file systems of unequal size: the working folder's and the memory's. Skipped
 * where there is only one.
 */
public class MultiDiskNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.storage.multi_disk.enabled";
  private static final int INDICES = 24;
  private static Path memory;

  /** The feature without the rest of the product. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new MultiDiskFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  protected Settings nodeSettings() {
    Path shared = PathUtils.get("/dev", "shm");
    assumeTrue("a file system in memory", Files.isDirectory(shared) && Files.isWritable(shared));
    try {
      memory = Files.createTempDirectory(shared, "multi-disk");
      Path created = memory;
      closeAfterSuite(() -> IOUtils.rm(created));
      Path disk = createTempDir();
      assumeFalse("two file systems", Files.getFileStore(disk).equals(Files.getFileStore(memory)));
      return Settings.builder()
          .put(super.nodeSettings())
          .putList(Environment.PATH_DATA_SETTING.getKey(), disk.toString(), memory.toString())
          .put("cluster.routing.allocation.disk.threshold_enabled", false)
          .build();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return false;
  }

  @After
  public void unset() {
    set(null);
  }

  private void set(Boolean value) {
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(
                value == null
                    ? Settings.builder().putNull(SWITCH)
                    : Settings.builder().put(SWITCH, value))
            .get());
  }

  /** Whether the only shard of a new index lies in memory. */
  private boolean inMemory(String name) {
    Index index =
        createIndex(name, Settings.builder().put("index.number_of_shards", 1).build()).index();
    IndexShard shard =
        getInstanceFromNode(IndicesService.class).indexServiceSafe(index).getShard(0);
    Path data = shard.shardPath().getDataPath();
    assertTrue(Files.isDirectory(data.resolve("index")));
    return data.startsWith(memory);
  }

  public void testSharesFollowTheCapacityWhereStockTakesOneDisk() throws IOException {
    FileStore small = Files.getFileStore(memory);
    FileStore large = Files.getFileStore(createTempDir());
    double capacity =
        (double) small.getTotalSpace() / (small.getTotalSpace() + large.getTotalSpace());
    assumeTrue(
        "the smaller of the two is worth a shard: " + capacity,
        Math.min(capacity, 1 - capacity) * (INDICES + 6) >= 1.1);
    set(false);
    boolean stock = inMemory("stock-0");
    for (int i = 1; i < 6; i++) {
      assertEquals("stock takes the disk with the most free bytes", stock, inMemory("stock-" + i));
    }
    set(true);
    int count = stock ? 6 : 0;
    for (int i = 0; i < INDICES; i++) {
      count += inMemory("ours-" + i) ? 1 : 0;
    }
    double share = (double) count / (INDICES + 6);
    assertThat(Math.abs(share - capacity), lessThanOrEqualTo(0.10));
    assertTrue("one where stock would not", stock ? count < INDICES + 6 : count > 0);
    // written, found again after a close, and gone with the index
    client().prepareIndex("ours-0").setId("1").setSource("m", "x").get();
    assertAcked(client().admin().indices().prepareClose("ours-0").get());
    assertAcked(client().admin().indices().prepareOpen("ours-0").get());
    ensureGreen("ours-0");
    assertTrue(client().prepareGet("ours-0", "1").get().isExists());
  }
}
