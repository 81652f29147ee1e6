package io.millrace.write.fastengine;

import io.millrace.kernel.Feature;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.common.UUIDs;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.bytes.CompositeBytesReference;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.index.translog.DefaultTranslogDeletionPolicy;
import org.opensearch.index.translog.InternalTranslogFactory;
import org.opensearch.index.translog.Translog;
import org.opensearch.index.translog.TranslogConfig;
import org.opensearch.index.translog.TranslogFactory;
import org.opensearch.index.translog.TranslogOperationHelper;
import org.opensearch.test.IndexSettingsModule;
import org.opensearch.test.OpenSearchTestCase;

/** The same operations make the same files as stock's translog, and the same errors. */
public class LeanTranslogTest extends OpenSearchTestCase {
  private static final long TERM = 3;

  private final ShardId shard = new ShardId(new Index("index", "uuid"), 0);
  private final ThreadLocal<OperationBytes> writers = ThreadLocal.withInitial(OperationBytes::new);
  private final TranslogFactory lean =
      LeanTranslog.factory(Feature.switchFor("write.fast-engine", true), writers);

  private Translog open(TranslogFactory factory, Path path, String uuid) throws IOException {
    TranslogConfig config =
        new TranslogConfig(
            shard,
            path,
            IndexSettingsModule.newIndexSettings(shard.getIndex(), Settings.EMPTY),
            BigArrays.NON_RECYCLING_INSTANCE,
            "node",
            false);
    return factory.newTranslog(
        config,
        uuid,
        new DefaultTranslogDeletionPolicy(-1, -1, 0),
        () -> SequenceNumbers.NO_OPS_PERFORMED,
        () -> TERM,
        seqNo -> {},
        () -> true,
        TranslogOperationHelper.DEFAULT);
  }

  private Path created(String uuid) throws IOException {
    Path path = createTempDir();
    Translog.createEmptyTranslog(
        path, shard, SequenceNumbers.NO_OPS_PERFORMED, TERM, uuid, FileChannel::open);
    return path;
  }

  public void testFilesAreStocks() throws Exception {
    String uuid = UUIDs.randomBase64UUID();
    Path stockPath = created(uuid);
    Path leanPath = created(uuid);
    List<Translog.Operation> operations = new ArrayList<>();
    List<String> files = new ArrayList<>();
    try (Translog stock = open(new InternalTranslogFactory(), stockPath, uuid);
        Translog ours = open(lean, leanPath, uuid)) {
      assertEquals(LeanTranslog.class, ours.getClass());
      for (int i = 0; i < 3000; i++) {
        Translog.Operation operation = operation(i);
        operations.add(operation);
        assertEquals(stock.add(operation), ours.add(operation));
        if (rarely()) {
          stock.sync();
          ours.sync();
        }
        if (i % 1000 == 999) {
          files.add(Translog.getFilename(stock.currentFileGeneration()));
          stock.rollGeneration();
          ours.rollGeneration();
        }
      }
      try (Translog.Snapshot snapshot = ours.newSnapshot()) {
        for (Translog.Operation operation : backwardsByFile(operations)) {
          assertEquals(operation, snapshot.next());
        }
        assertNull(snapshot.next());
      }
    }
    for (String file : files) {
      assertArrayEquals(
          file,
          Files.readAllBytes(stockPath.resolve(file)),
          Files.readAllBytes(leanPath.resolve(file)));
    }
    assertTrue("no large buffer stays", writers.get().held() <= 4 * LeanTranslog.LONGEST);
  }

  /** A snapshot gives the newest file first, and each file from its beginning. */
  private static List<Translog.Operation> backwardsByFile(List<Translog.Operation> operations) {
    List<Translog.Operation> order = new ArrayList<>();
    for (int from = operations.size() - 1000; from >= 0; from -= 1000) {
      order.addAll(operations.subList(from, from + 1000));
    }
    return order;
  }

  private static Translog.Operation operation(int i) {
    String id = randomBoolean() ? UUIDs.base64UUID() : randomUnicodeOfLengthBetween(1, 512);
    return switch (between(0, 9)) {
      case 0 -> new Translog.Delete(id, i, TERM, randomNonNegativeLong());
      case 1 -> new Translog.NoOp(i, TERM, randomUnicodeOfLengthBetween(0, 5000));
      case 2 ->
          new Translog.Index(
              id,
              i,
              TERM,
              randomLong(),
              randomByteArrayOfLength(between(0, 100_000)),
              "r" + id,
              -1);
      default -> index(id, i);
    };
  }

  private static Translog.Operation index(String id, int seqNo) {
    String routing = randomBoolean() ? null : randomUnicodeOfLengthBetween(1, 20);
    ParsedDocument document =
        new ParsedDocument(
            null,
            SeqNoFieldMapper.SequenceIDFields.emptySeqID(),
            id,
            routing,
            List.of(new ParseContext.Document()),
            source(),
            null,
            null);
    Engine.Index index =
        new Engine.Index(
            new org.apache.lucene.index.Term("_id", id),
            document,
            seqNo,
            TERM,
            1,
            null,
            Engine.Operation.Origin.REPLICA,
            0,
            randomLong(),
            false,
            SequenceNumbers.UNASSIGNED_SEQ_NO,
            0);
    return new Translog.Index(index, new Engine.IndexResult(randomLong(), TERM, seqNo, true));
  }

  /** A slice of an array, or one that goes over several. */
  private static BytesReference source() {
    byte[] bytes = randomByteArrayOfLength(between(1, 3000));
    int cut = between(0, bytes.length);
    BytesReference head = new BytesArray(bytes, 0, cut);
    BytesReference tail = new BytesArray(bytes, cut, bytes.length - cut);
    return randomBoolean() ? tail : CompositeBytesReference.of(head, tail);
  }

  public void testNewerTermIsRefusedAsByStock() throws Exception {
    String uuid = UUIDs.randomBase64UUID();
    Translog.Operation newer = new Translog.Delete("id", 0, TERM + 1, 1);
    try (Translog stock = open(new InternalTranslogFactory(), created(uuid), uuid);
        Translog ours = open(lean, created(uuid), uuid)) {
      Throwable expected = expectThrows(Throwable.class, () -> stock.add(newer));
      Throwable found = expectThrows(expected.getClass(), () -> ours.add(newer));
      assertEquals(expected.getMessage(), found.getMessage());
    }
  }

  public void testClosedIsRefusedAsByStock() throws Exception {
    String uuid = UUIDs.randomBase64UUID();
    Translog stock = open(new InternalTranslogFactory(), created(uuid), uuid);
    Translog ours = open(lean, created(uuid), uuid);
    stock.close();
    ours.close();
    Translog.Operation operation = new Translog.Delete("id", 0, TERM, 1);
    Throwable expected = expectThrows(Throwable.class, () -> stock.add(operation));
    Throwable found = expectThrows(expected.getClass(), () -> ours.add(operation));
    assertEquals(expected.getMessage(), found.getMessage());
  }
}
