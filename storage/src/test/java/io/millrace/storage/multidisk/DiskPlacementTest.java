package io.millrace.storage.multidisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.env.TestEnvironment;
import org.opensearch.index.shard.ShardPath;
import org.opensearch.index.shard.ShardStateMetadata;
import org.opensearch.test.OpenSearchTestCase;

/** When a path is chosen, and when the choice is left to stock. */
public class DiskPlacementTest extends OpenSearchTestCase {
  private static final long NOW = 1_000_000_000_000L;

  private NodeEnvironment environment;
  private boolean on = true;
  private DiskPlacement placement;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Settings settings =
        Settings.builder()
            .put(Environment.PATH_HOME_SETTING.getKey(), createTempDir())
            .putList(
                Environment.PATH_DATA_SETTING.getKey(),
                createTempDir().toString(),
                createTempDir().toString())
            .build();
    environment = new NodeEnvironment(settings, TestEnvironment.newEnvironment(settings));
    // the machine that runs the test may be fuller than the watermark
    Settings noWatermark =
        Settings.builder().put("cluster.routing.allocation.disk.threshold_enabled", false).build();
    placement =
        new DiskPlacement(
            environment,
            new DiskThresholdSettings(
                noWatermark,
                new ClusterSettings(noWatermark, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS)),
            () -> on,
            () -> 86_400_000L,
            () -> NOW);
  }

  @Override
  public void tearDown() throws Exception {
    environment.close();
    super.tearDown();
  }

  private static Settings.Builder fresh() {
    return Settings.builder().put(IndexMetadata.SETTING_CREATION_DATE, NOW - 1000);
  }

  private ShardPath load(ShardId shard) throws IOException {
    return ShardPath.loadShardPath(logger, environment, shard, "");
  }

  private void assertLeftToStock(String index, Settings settings) throws IOException {
    ShardId shard = new ShardId(index, index + "-uuid", 0);
    placement.beforeIndexShardCreated(shard, settings);
    assertNull(index, load(shard));
    for (Path path : environment.availableShardPaths(shard)) {
      assertFalse(Files.exists(path));
    }
  }

  public void testStockLoadsTheChosenPath() throws IOException {
    ShardId shard = new ShardId("new", "new-uuid", 0);
    placement.beforeIndexShardCreated(shard, fresh().build());
    ShardPath path = load(shard);
    assertNotNull(path);
    assertEquals(path.getDataPath(), path.getShardStatePath());
    assertEquals(1, placement.placed.sum());
    ShardStateMetadata state =
        ShardStateMetadata.FORMAT.loadLatestState(
            logger, xContentRegistry(), path.getShardStatePath());
    assertNull(state.allocationId);
    assertEquals("new-uuid", state.indexUUID);
    // a second time, as after a crash or a failed start: what is there stays
    placement.beforeIndexShardCreated(shard, fresh().build());
    assertEquals(path.getDataPath(), load(shard).getDataPath());
    assertEquals(1, placement.placed.sum());
  }

  public void testWhatIsLeftToStock() throws IOException {
    assertLeftToStock(
        "old", fresh().put(IndexMetadata.SETTING_CREATION_DATE, NOW - 3_600_000L).build());
    assertLeftToStock("no-date", Settings.EMPTY);
    assertLeftToStock("shrunk", fresh().put("index.resize.source.uuid", "u").build());
    assertLeftToStock("own-path", fresh().put("index.data_path", "/somewhere").build());
    assertLeftToStock("snapshot", fresh().put("index.store.type", "remote_snapshot").build());
    assertEquals(5, placement.declined.sum());
    on = false;
    assertLeftToStock("off", fresh().build());
    assertEquals(5, placement.declined.sum());
  }

  public void testPathThatCannotBeWrittenIsPassedOver() throws IOException {
    Path broken = placement.disks(null).get(0).path();
    Path other = placement.disks(null).get(1).path();
    Files.createDirectories(broken);
    Files.write(broken.resolve("indices"), new byte[] {1});
    for (int i = 0; i < 3; i++) {
      ShardId shard = new ShardId("new" + i, "new-uuid" + i, 0);
      placement.beforeIndexShardCreated(shard, fresh().build());
      ShardPath path = load(shard);
      assertNotNull(path);
      assertTrue(path.getDataPath().startsWith(other));
    }
    assertEquals(3, placement.placed.sum());
    Files.delete(broken.resolve("indices"));
  }

  public void testNoPathCanBeWritten() throws IOException {
    for (Disk disk : placement.disks(null)) {
      Files.createDirectories(disk.path());
      Files.write(disk.path().resolve("indices"), new byte[] {1});
    }
    ShardId shard = new ShardId("new", "new-uuid", 0);
    placement.beforeIndexShardCreated(shard, fresh().build());
    assertEquals(2, placement.failed.sum());
    assertEquals(0, placement.placed.sum());
    for (Disk disk : placement.disks(null)) {
      Files.delete(disk.path().resolve("indices"));
    }
  }
}
