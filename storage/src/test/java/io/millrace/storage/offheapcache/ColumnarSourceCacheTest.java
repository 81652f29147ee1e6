package io.millrace.storage.offheapcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.corpus.LogGenerator;
import io.millrace.kernel.slot.PartialSource;
import io.millrace.storage.columnarsource.ColumnarSourceCodec;
import io.millrace.storage.columnarsource.block.BlockBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Blocks in the node's cache: the same bytes in every order, from several threads, with room for
 * all, for little and for no views; nothing is read from the file again, nothing damaged is kept,
 * and nothing is left when the segment is closed.
 */
class ColumnarSourceCacheTest {
  private static final int DOCUMENTS = 9_000;
  private static final int MB = 1 << 20;

  @TempDir private Path folder;
  private final List<byte[]> documents = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    LogGenerator generator = new LogGenerator(6);
    for (int i = 0; i < DOCUMENTS; i++) {
      byte[] odd = i % 700 == 3 ? null : ("not json " + i).getBytes(StandardCharsets.UTF_8);
      documents.add(i % 350 == 3 ? odd : generator.next());
    }
    byte[] large = new byte[2 * BlockBuilder.MAX_BYTES];
    new Random(9).nextBytes(large);
    documents.add(large);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(Codec.forName(ColumnarSourceCodec.NAME))
            .setUseCompoundFile(false)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(256);
    try (Directory directory = new NIOFSDirectory(folder)) {
      write(directory, config);
    }
  }

  private void write(Directory directory, IndexWriterConfig config) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents.size(); i++) {
        Document document = new Document();
        document.add(new StoredField("_id", Integer.toString(i)));
        if (documents.get(i) != null) {
          document.add(new StoredField("_source", documents.get(i)));
        }
        writer.addDocument(document);
      }
    }
  }

  private static BlockCaches columns() {
    return ((BlockCaches.User) Codec.forName(ColumnarSourceCodec.NAME)).blockCaches();
  }

  private BlockCache attached;

  @AfterEach
  void detach() {
    if (attached != null) {
      columns().detach(attached);
      attached.close();
    }
  }

  private BlockCache cache(int bytes, long viewBytes) throws IOException {
    attached = new BlockCache(viewBytes);
    attached.resize(bytes);
    columns().attach(folder.toRealPath(), attached);
    return attached;
  }

  private void check(StoredFields stored, int doc) throws IOException {
    BytesRef value = stored.document(doc, Set.of("_source")).getBinaryValue("_source");
    if (documents.get(doc) == null) {
      assertNull(value, "document " + doc);
    } else {
      assertArrayEquals(documents.get(doc), BytesRef.deepCopyOf(value).bytes, "document " + doc);
    }
  }

  /** As searches do: a reader of their own for a few documents, now and then for neighbours. */
  private void readAtRandom(DirectoryReader reader, Random random, int requests)
      throws IOException {
    for (int request = 0; request < requests; request++) {
      StoredFields stored = reader.storedFields();
      int from = random.nextInt(DOCUMENTS);
      for (int hit = 0; hit < 60; hit++) {
        check(stored, request % 3 == 0 ? (from + hit) % DOCUMENTS : random.nextInt(DOCUMENTS));
      }
    }
  }

  @Test
  void whatIsCachedIsNotReadAgain() throws IOException {
    BlockCache cache = cache(64 * MB, 64 * MB);
    try (Directory directory = new NIOFSDirectory(folder);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (int round = 0; round < 2; round++) {
        for (int doc = 0; doc < DOCUMENTS; doc++) {
          check(reader.storedFields(), doc);
        }
      }
      assertTrue(cache.figures().blocks() > 5, cache.figures().toString());
      assertTrue(cache.viewBytes() > 0);
      long misses = cache.counters().misses.sum();
      readAtRandom(reader, new Random(2), 60);
      for (int doc = DOCUMENTS - 1; doc >= 0; doc -= 3) {
        check(reader.storedFields(), doc);
      }
      assertEquals(misses, cache.counters().misses.sum());
    }
    assertEquals(0, cache.figures().blocks());
    assertEquals(0, cache.figures().usedBytes());
    assertEquals(0, cache.viewBytes());
  }

  @Test
  void littleRoomAndNoViews() throws Exception {
    for (int views : new int[] {0, 100_000, 64 * MB}) {
      BlockCache cache = cache(MB, views);
      try (Directory directory = new NIOFSDirectory(folder);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        readAtRandom(reader, new Random(views), 40);
        assertTrue(cache.viewBytes() <= views);
        assertTrue(cache.figures().usedBytes() <= MB);
      }
      assertEquals(0, cache.viewBytes());
      detach();
    }
  }

  @Test
  void manyThreadsShareBlocks() throws Exception {
    BlockCache cache = cache(2 * MB, 500_000);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Directory directory = new NIOFSDirectory(folder);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long seed = thread;
        running.add(
            threads.submit(() -> {
              readAtRandom(reader, new Random(seed), 100);
              return null;
            }));
      }
      for (int i = 0; i < 20; i++) {
        cache.resize((1 + i % 3) * MB);
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(0, cache.viewBytes());
    assertEquals(0, cache.figures().usedBytes());
  }

  /** A search reads neighbours as a merge does, and tells itself from one by what it wants. */
  @Test
  void whoReadsAsAMergeButWantsOneFieldHasIt() throws IOException {
    BlockCache cache = cache(64 * MB, 64 * MB);
    try (Directory directory = new NIOFSDirectory(folder);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      CodecReader segment = (CodecReader) reader.leaves().get(0).reader();
      long misses = 0;
      for (int round = 0; round < 3; round++) {
        StoredFieldsReader merging = segment.getFieldsReader().getMergeInstance();
        for (int doc = round; doc < DOCUMENTS; doc += 1 + round) {
          Message message = new Message();
          merging.document(doc, message);
          byte[] whole = documents.get(doc);
          boolean json = whole != null && whole[0] == '{';
          byte[] expected = json ? message(whole) : whole;
          assertArrayEquals(expected, message.source, "document " + doc);
        }
        if (round == 1) {
          misses = cache.counters().misses.sum();
          assertTrue(misses > 0);
        }
      }
      assertEquals(misses, cache.counters().misses.sum());
    }
  }

  /** The generator writes the message last. */
  private static byte[] message(byte[] document) {
    String text = new String(document, StandardCharsets.UTF_8);
    return ('{' + text.substring(text.indexOf("\"message\":"))).getBytes(StandardCharsets.UTF_8);
  }

  private static final class Message extends StoredFieldVisitor implements PartialSource {
    private byte[] source;

    @Override
    public boolean wants(String key) {
      return key.equals("message");
    }

    @Override
    public Status needsField(FieldInfo field) {
      return field.name.equals("_source") ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      source = value;
    }
  }

  @Test
  void mergesAndLargeDocumentsLeaveItAlone() throws IOException {
    BlockCache cache = cache(64 * MB, 64 * MB);
    try (Directory directory = new NIOFSDirectory(folder);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      StoredFields merging =
          ((CodecReader) reader.leaves().get(0).reader()).getFieldsReader().getMergeInstance();
      for (int doc = 0; doc <= DOCUMENTS; doc++) {
        check(merging, doc);
      }
      check(reader.storedFields(), DOCUMENTS);
      check(reader.storedFields(), DOCUMENTS);
      assertEquals(0, cache.figures().blocks());
    }
  }

  @Test
  void damageIsNeverCached() throws IOException {
    Path data;
    try (Stream<Path> files = Files.list(folder)) {
      data = files.filter(each -> each.toString().endsWith(".msc")).findFirst().orElseThrow();
    }
    byte[] sound = Files.readAllBytes(data);
    BlockCache cache = cache(64 * MB, 64 * MB);
    try (Directory directory = new NIOFSDirectory(folder)) {
      byte[] damaged = Arrays.copyOf(sound, sound.length);
      damaged[5_000] ^= 4;
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        check(reader.storedFields(), 0);
        // what was checked when it was read is what the cache gives, whatever becomes of the file
        Files.write(data, damaged);
        for (int doc = 0; doc < 1000; doc += 7) {
          check(reader.storedFields(), doc);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (int i = 0; i < 3; i++) {
          StoredFields stored = reader.storedFields();
          assertThrows(CorruptIndexException.class, () -> stored.document(0, Set.of("_source")));
        }
        assertEquals(0, cache.figures().blocks());
      }
    }
  }
}
