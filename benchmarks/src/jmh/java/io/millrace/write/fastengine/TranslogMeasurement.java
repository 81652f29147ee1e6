package io.millrace.write.fastengine;

import com.sun.management.ThreadMXBean;
import io.millrace.corpus.LogGenerator;
import io.millrace.kernel.Feature;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.util.IOUtils;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.UUIDs;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.BigArrays;
import org.opensearch.common.util.PageCacheRecycler;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.indices.breaker.NoneCircuitBreakerService;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.index.translog.DefaultTranslogDeletionPolicy;
import org.opensearch.index.translog.InternalTranslogFactory;
import org.opensearch.index.translog.Translog;
import org.opensearch.index.translog.TranslogConfig;
import org.opensearch.index.translog.TranslogFactory;
import org.opensearch.index.translog.TranslogOperationHelper;

/**
 * CPU and garbage of adding operations to a translog, stock's and {@link LeanTranslog}, in one JVM,
 * in turn: time of the thread (ThreadMXBean), writing to the file included, the sync at the end
 * left out. docs/fast-engine-measured.md names the command.
 */
public final class TranslogMeasurement {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final ShardId SHARD = new ShardId(new Index("index", "uuid"), 0);

  private TranslogMeasurement() {}

  /**
   * {@code main [operations: 200000] [rounds: 6]}; the first two rounds warm up.
   *
   * @param args counts
   */
  public static void main(String[] args) throws IOException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 6;
    PrintStream out = System.out;
    LogGenerator generator = new LogGenerator(1);
    List<Translog.Operation> operations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      operations.add(new Translog.Index(UUIDs.base64UUID(), i, 1, generator.next()));
    }
    TranslogFactory stock = new InternalTranslogFactory();
    TranslogFactory lean =
        LeanTranslog.factory(
            Feature.switchFor("write.fast-engine", true),
            ThreadLocal.withInitial(OperationBytes::new));
    out.println("| round | | us of CPU an operation | bytes of garbage |");
    out.println("|---|---|---|---|");
    for (int round = 0; round < rounds; round++) {
      measure(round, "stock", stock, operations, out);
      measure(round, "lean", lean, operations, out);
    }
  }

  private static void measure(
      int round,
      String name,
      TranslogFactory factory,
      List<Translog.Operation> operations,
      PrintStream out)
      throws IOException {
    Path path = Files.createTempDirectory("translog");
    String uuid = Translog.createEmptyTranslog(path, SequenceNumbers.NO_OPS_PERFORMED, SHARD, 1);
    IndexMetadata index =
        IndexMetadata.builder(SHARD.getIndexName())
            .settings(
                Settings.builder()
                    .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                    .put(IndexMetadata.SETTING_INDEX_UUID, SHARD.getIndex().getUUID())
                    .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
                    .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0))
            .build();
    BigArrays arrays =
        new BigArrays(
            new PageCacheRecycler(Settings.EMPTY), new NoneCircuitBreakerService(), "request");
    TranslogConfig config =
        new TranslogConfig(
            SHARD, path, new IndexSettings(index, Settings.EMPTY), arrays, "node", false);
    try (Translog translog =
        factory.newTranslog(
            config,
            uuid,
            new DefaultTranslogDeletionPolicy(-1, -1, 0),
            () -> SequenceNumbers.NO_OPS_PERFORMED,
            () -> 1,
            seqNo -> {},
            () -> true,
            TranslogOperationHelper.DEFAULT)) {
      long thread = Thread.currentThread().threadId();
      long bytes = THREADS.getThreadAllocatedBytes(thread);
      long start = THREADS.getCurrentThreadCpuTime();
      for (Translog.Operation operation : operations) {
        translog.add(operation);
      }
      long nanos = THREADS.getCurrentThreadCpuTime() - start;
      long garbage = THREADS.getThreadAllocatedBytes(thread) - bytes;
      out.printf(
          Locale.ROOT,
          "| %d | %s | %.3f | %d |%n",
          round,
          name,
          nanos / 1e3 / operations.size(),
          garbage / operations.size());
    } finally {
      IOUtils.rm(path);
    }
  }
}
