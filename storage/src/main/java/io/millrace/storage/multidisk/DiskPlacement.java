package io.millrace.storage.multidisk;

import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.env.NodeEnvironment.NodePath;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.ShardStateMetadata;

/**
 * Puts a new shard on the data path that has the fewest young shards for its size.
 *
 * <p><b>How.</b> Stock asks {@code ShardPath.loadShardPath} where a shard is before it selects a
 * path for a new one (IndexService#getShardPath), and finds it by the shard's state file. The
 * listener runs just before that, under the shard's lock (IndexService#createShard), and writes a
 * state file without an allocation id into the path it prefers: stock then "loads" this path, and
 * overwrites the state with the real one when the shard object is made
 * (IndexShard.persistMetadata).
 *
 * <p><b>When it leaves the choice to stock.</b> One data path; any trace of the shard on any path;
 * an index that was not created within the last minutes (replicas that are rebuilt, relocations and
 * restored snapshots: their size is known to stock and not to a listener); shrink, split and clone
 * (they link files of their source); indices with a data path of their own; no disk below the low
 * watermark; an error while the state is written.
 *
 * <p><b>A crash in between</b> leaves a folder with a state file that names no allocation. The
 * gateway does not take such a copy for one with data (it is in no in-sync set), and deleting the
 * index deletes the folder.
 */
final class DiskPlacement implements IndexEventListener {
  private static final Logger logger = LogManager.getLogger(DiskPlacement.class);

  /** How long after its creation the shards of an index are taken for new and empty. */
  static final long NEW_MILLIS = 10 * 60 * 1000L;

  private final NodeEnvironment environment;
  private final DiskThresholdSettings watermarks;
  private final BooleanSupplier on;
  private final LongSupplier youngMillis;
  private final LongSupplier clock;
  private final Map<ShardId, Placed> shards = new HashMap<>();

  final LongAdder placed = new LongAdder();
  final LongAdder declined = new LongAdder();
  final LongAdder failed = new LongAdder();

  private record Placed(Path dataPath, long created) {}

  DiskPlacement(
      NodeEnvironment environment,
      DiskThresholdSettings watermarks,
      BooleanSupplier on,
      LongSupplier youngMillis,
      LongSupplier clock) {
    this.environment = environment;
    this.watermarks = watermarks;
    this.on = on;
    this.youngMillis = youngMillis;
    this.clock = clock;
  }

  @Override
  public void afterIndexShardCreated(IndexShard shard) {
    Path root = shard.shardPath().getRootStatePath();
    synchronized (shards) {
      shards.put(shard.shardId(), new Placed(root, created(shard.indexSettings().getSettings())));
    }
  }

  @Override
  public void afterIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings indexSettings) {
    synchronized (shards) {
      shards.remove(shardId);
    }
  }

  @Override
  public void beforeIndexShardCreated(ShardId shardId, Settings settings) {
    if (!on.getAsBoolean() || environment.nodePaths().length < 2) {
      return;
    }
    if (!isNew(settings)) {
      declined.increment();
      return;
    }
    try {
      place(shardId);
    } catch (IOException | RuntimeException e) {
      failed.increment();
      logger.warn(() -> shardId + " is left to OpenSearch's own choice of a data path", e);
    }
  }

  private boolean isNew(Settings settings) {
    return created(settings) + NEW_MILLIS > clock.getAsLong()
        && !IndexMetadata.INDEX_RESIZE_SOURCE_UUID.exists(settings)
        && !IndexMetadata.INDEX_DATA_PATH_SETTING.exists(settings)
        && !"remote_snapshot".equals(settings.get("index.store.type"));
  }

  private static long created(Settings settings) {
    return settings.getAsLong(IndexMetadata.SETTING_CREATION_DATE, -1L);
  }

  private void place(ShardId shardId) throws IOException {
    if (PrivilegedAccess.call(() -> anyTrace(shardId))) {
      declined.increment();
      return;
    }
    List<Disk> candidates = Disk.inOrder(disks(shardId));
    for (Disk disk : candidates) {
      Path folder = folder(disk, shardId);
      try {
        PrivilegedAccess.call(() -> write(folder, shardId));
        placed.increment();
        logger.debug("{} goes to [{}] of {}", shardId, disk.path(), candidates);
        return;
      } catch (IOException e) {
        failed.increment();
        logger.warn(() -> "data path [" + disk.path() + "] cannot take " + shardId, e);
        // a second state elsewhere beside a half-written one would confuse stock
        PrivilegedAccess.call(() -> {
          IOUtils.rm(folder);
          return true;
        });
      }
    }
    declined.increment();
  }

  private boolean anyTrace(ShardId shardId) {
    for (Path path : environment.availableShardPaths(shardId)) {
      if (Files.exists(path)) {
        return true;
      }
    }
    return false;
  }

  private Path folder(Disk disk, ShardId shardId) {
    for (NodePath path : environment.nodePaths()) {
      if (path.path.equals(disk.path())) {
        return path.resolve(shardId);
      }
    }
    throw new IllegalStateException("no data path " + disk.path());
  }

  private static boolean write(Path folder, ShardId shardId) throws IOException {
    ShardStateMetadata state = new ShardStateMetadata(false, shardId.getIndex().getUUID(), null);
    ShardStateMetadata.FORMAT.writeAndCleanup(state, folder);
    return true;
  }

  /** The data paths as they are now. */
  List<Disk> disks(@Nullable ShardId shardId) throws IOException {
    long youngSince = clock.getAsLong() - youngMillis.getAsLong();
    List<Disk> disks = new ArrayList<>();
    for (NodePath path : environment.nodePaths()) {
      int young = 0;
      int sameIndex = 0;
      synchronized (shards) {
        for (Map.Entry<ShardId, Placed> each : shards.entrySet()) {
          if (path.path.equals(each.getValue().dataPath())) {
            young += each.getValue().created() >= youngSince ? 1 : 0;
            sameIndex +=
                shardId != null && each.getKey().getIndex().equals(shardId.getIndex()) ? 1 : 0;
          }
        }
      }
      long total = PrivilegedAccess.call(path.fileStore::getTotalSpace);
      long usable = PrivilegedAccess.call(path.fileStore::getUsableSpace);
      disks.add(
          new Disk(path.path, total, usable, young, sameIndex, aboveWatermark(total, usable)));
    }
    return disks;
  }

  private boolean aboveWatermark(long total, long usable) {
    return watermarks.isEnabled()
        && (usable < watermarks.getFreeBytesThresholdLow().getBytes()
            || 100.0 * usable / Math.max(1, total) < watermarks.getFreeDiskThresholdLow());
  }
}
