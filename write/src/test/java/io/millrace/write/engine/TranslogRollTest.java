package io.millrace.write.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.index.translog.ChannelFactory;
import org.opensearch.index.translog.DefaultTranslogDeletionPolicy;
import org.opensearch.index.translog.LocalTranslog;
import org.opensearch.index.translog.Translog;
import org.opensearch.index.translog.TranslogConfig;
import org.opensearch.index.translog.TranslogOperationHelper;
import org.opensearch.test.IndexSettingsModule;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Rolling a translog generation does not write the operations to the disk under the lock that every
 * writer needs: promise translog-roll, which stock keeps since it syncs before it takes the lock
 * (Translog#rollGeneration at 3.8.0).
 */
public class TranslogRollTest extends OpenSearchTestCase {
  /** Names of data files whose operations were forced to disk while writers were locked out. */
  private final List<String> lockedForces = Collections.synchronizedList(new ArrayList<>());

  private final List<String> forces = Collections.synchronizedList(new ArrayList<>());
  private volatile String operations = "";
  private final AtomicReference<Translog> watched = new AtomicReference<>();
  private final ExecutorService prober = Executors.newSingleThreadExecutor();

  private final class WatchedChannel extends FilterFileChannel {
    private final String file;

    WatchedChannel(FileChannel delegate, String file) {
      super(delegate);
      this.file = file;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      Translog translog = watched.get();
      // the new generation's header and the checkpoints are forced under the lock: a few bytes
      if (translog != null && file.equals(operations)) {
        forces.add(file);
        if (!canRead(translog)) {
          lockedForces.add(file);
        }
      }
      super.force(metaData);
    }
  }

  /** Whether another thread gets the read side of the translog's lock. */
  private boolean canRead(Translog translog) {
    try {
      prober.submit(translog::totalOperations).get(60, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void tearDown() throws Exception {
    prober.shutdownNow();
    assertTrue(prober.awaitTermination(60, TimeUnit.SECONDS));
    super.tearDown();
  }

  public void testOperationsAreSyncedBeforeTheLock() throws Exception {
    Path path = createTempDir();
    ShardId shard = new ShardId(new Index("index", "uuid"), 0);
    String uuid = Translog.createEmptyTranslog(path, SequenceNumbers.NO_OPS_PERFORMED, shard, 1);
    ChannelFactory channels =
        (file, options) ->
            new WatchedChannel(FileChannel.open(file, options), file.getFileName().toString());
    TranslogConfig config =
        new TranslogConfig(
            shard,
            path,
            IndexSettingsModule.newIndexSettings(shard.getIndex(), Settings.EMPTY),
            BigArrays.NON_RECYCLING_INSTANCE,
            "node",
            false);
    try (LocalTranslog translog =
        new LocalTranslog(
            config,
            uuid,
            new DefaultTranslogDeletionPolicy(-1, -1, 0),
            () -> SequenceNumbers.NO_OPS_PERFORMED,
            () -> 1L,
            seqNo -> {},
            TranslogOperationHelper.DEFAULT,
            channels)) {
      String current = Translog.getFilename(translog.currentFileGeneration());
      for (int i = 0; i < 1000; i++) {
        translog.add(new Translog.Index("id" + i, i, 1, ("{\"n\":" + i + "}").getBytes("UTF-8")));
      }
      assertTrue(translog.syncNeeded());
      operations = current;
      watched.set(translog);
      translog.rollGeneration();
      watched.set(null);
      assertTrue("the operations went to disk: " + forces, forces.contains(current));
      assertFalse("not while writers wait: " + lockedForces, lockedForces.contains(current));
    }
  }
}
