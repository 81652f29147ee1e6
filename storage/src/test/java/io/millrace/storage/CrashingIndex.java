package io.millrace.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.BytesRef;

/**
 * An index and what must be in it: written until its disk fails, opened again, compared document by
 * document with what stood at the commit that is found.
 */
final class CrashingIndex {
  private static final String DELETED = "__deleted";

  private final PowerCutDirectory directory;
  private final Random random;
  private final List<Codec> codecs;
  private final List<byte[]> sources;
  private final boolean sorted;
  private final boolean softDeletes;
  private final boolean large;
  private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();

  // which of `sources` each id holds; what each commit that was begun holds; the last that returned
  private Map<Integer, Integer> now = new HashMap<>();
  private final Map<Long, Map<Integer, Integer>> begun = new HashMap<>();
  private int ids;
  private long commits;
  private long acknowledged;

  CrashingIndex(
      PowerCutDirectory directory, Random random, List<Codec> codecs, List<byte[]> sources) {
    this.directory = directory;
    this.random = random;
    this.codecs = codecs;
    this.sources = sources;
    sorted = random.nextInt(4) == 0;
    softDeletes = random.nextInt(3) == 0;
    large = random.nextInt(12) == 0;
  }

  /** Writes until there is an error or enough; true if there was an error of the disk. */
  boolean write() throws IOException {
    IndexWriter writer = null;
    boolean failed = false;
    try {
      writer = new IndexWriter(directory, config());
      int steps = 4 + random.nextInt(large ? 5 : 14);
      for (int i = 0; i < steps; i++) {
        step(writer);
      }
    } catch (IOException | AlreadyClosedException e) {
      failed = true;
    } catch (MergePolicy.MergeException | IllegalStateException e) {
      failed = true;
      collect(e);
    }
    if (directory.off()) {
      directory.lose();
    }
    if (writer != null) {
      rollback(writer);
    }
    return failed;
  }

  private void rollback(IndexWriter writer) {
    try {
      writer.rollback();
    } catch (IOException | AlreadyClosedException e) {
      // the disk again
    } catch (IllegalStateException e) {
      collect(e);
    }
    Throwable other = unexpected.poll();
    if (other != null) {
      throw new AssertionError("not an error of the disk", other);
    }
  }

  private void collect(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException || cause instanceof AlreadyClosedException) {
        return;
      }
    }
    unexpected.add(e);
  }

  private IndexWriterConfig config() {
    LogDocMergePolicy log = new LogDocMergePolicy();
    log.setMergeFactor(2 + random.nextInt(4));
    log.setMinMergeDocs(5);
    log.setNoCFSRatio(random.nextInt(2));
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(codecs.get(random.nextInt(codecs.size())))
            .setMergePolicy(log)
            .setUseCompoundFile(random.nextBoolean())
            .setCommitOnClose(false)
            .setMaxBufferedDocs(large ? 2_000 : 10 + random.nextInt(100))
            .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
    if (random.nextBoolean()) {
      config.setMergeScheduler(new SerialMergeScheduler());
    } else {
      config.setMergeScheduler(
          new ConcurrentMergeScheduler() {
            @Override
            protected void handleMergeException(Throwable e) {
              collect(e);
            }
          });
    }
    if (sorted) {
      config.setIndexSort(new Sort(new SortField("key", SortField.Type.LONG)));
    }
    if (softDeletes) {
      config.setSoftDeletesField(DELETED);
      config.setMergePolicy(
          new SoftDeletesRetentionMergePolicy(
              DELETED, () -> NumericDocValuesField.newSlowRangeQuery("key", 0, 500), log));
    }
    return config;
  }

  private void step(IndexWriter writer) throws IOException {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> {
        int count = 1 + random.nextInt(large ? 1_800 : 80);
        for (int i = 0; i < count; i++) {
          put(writer);
        }
      }
      case 4 -> {
        for (Integer id : List.copyOf(now.keySet())) {
          if (random.nextInt(10) == 0) {
            now.remove(id);
            writer.deleteDocuments(new Term("_id", id.toString()));
          }
        }
      }
      case 5 -> {
        writer.flush();
        writer.maybeMerge();
      }
      case 6 -> writer.forceMerge(1 + random.nextInt(2));
      case 7 -> {
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertDocuments(live(reader), now, 5);
        }
      }
      default -> commit(writer);
    }
  }

  private void put(IndexWriter writer) throws IOException {
    boolean again = ids > 0 && random.nextInt(5) == 0;
    int id = again ? random.nextInt(ids) : ids++;
    int n = random.nextInt(sources.size());
    Document document = document(id, n);
    Term term = new Term("_id", Integer.toString(id));
    now.put(id, n);
    if (softDeletes) {
      writer.softUpdateDocument(term, document, new NumericDocValuesField(DELETED, 1));
    } else {
      writer.updateDocument(term, document);
    }
  }

  private static String hex(int id, int n, int length) {
    return "%016x%016x"
        .formatted(id * 0x9e3779b97f4a7c15L, (id + n) * 0xbf58476d1ce4e5b9L)
        .substring(32 - length);
  }

  private static String odd(int n) {
    return n % 100 == 7 ? "none" : "";
  }

  private Document document(int id, int n) {
    Document document = new Document();
    document.add(new StringField("_id", Integer.toString(id), Store.YES));
    byte[] source = sources.get(n);
    if (source.length > 0) {
      document.add(new StoredField("_source", source));
    }
    document.add(new StoredField("n", n));
    document.add(new NumericDocValuesField("key", n * 7919L % 1000));
    String trace = hex(id, n, 32);
    document.add(new StringField("trace", trace, Store.NO));
    document.add(new SortedSetDocValuesField("trace", new BytesRef(trace)));
    // a field that cannot be packed in every segment
    String span = hex(id, n, 16) + odd(n);
    document.add(new StringField("span", span, Store.NO));
    document.add(new SortedDocValuesField("span", new BytesRef(span)));
    return document;
  }

  private void commit(IndexWriter writer) throws IOException {
    long number = ++commits;
    begun.put(number, Map.copyOf(now));
    writer.setLiveCommitData(Map.of("number", Long.toString(number)).entrySet());
    for (int attempt = 0; ; attempt++) {
      try {
        writer.commit();
        acknowledged = number;
        return;
      } catch (IOException e) {
        // not every error of a commit closes the writer: the caller may try again
        if (!writer.isOpen() || attempt == 3) {
          throw e;
        }
      }
    }
  }

  /**
   * Lucene 10.5 forgets the reader of a sorted index's temporary stored fields when the sorted ones
   * cannot be created (SortingStoredFieldsConsumer#flush).
   */
  boolean forgetsFiles() {
    return sorted;
  }

  /** The last acknowledged commit or a later one is there, whole; writing goes on from there. */
  void verify() throws IOException {
    if (acknowledged == 0 && !DirectoryReader.indexExists(directory)) {
      now = new HashMap<>();
      return;
    }
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);
      check.setThreadCount(1);
      ByteArrayOutputStream report = new ByteArrayOutputStream();
      check.setInfoStream(new PrintStream(report, false, StandardCharsets.UTF_8));
      assertTrue(check.checkIndex().clean, () -> report.toString(StandardCharsets.UTF_8));
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      String number = reader.getIndexCommit().getUserData().get("number");
      long found = number == null ? 0 : Long.parseLong(number);
      assertTrue(found >= acknowledged, found + " after " + acknowledged + " was acknowledged");
      Map<Integer, Integer> expected = found == 0 ? Map.of() : begun.get(found);
      assertNotNull(expected, () -> "commit " + found + " was never begun");
      assertDocuments(live(reader), expected, Integer.MAX_VALUE);
      now = new HashMap<>(expected);
      acknowledged = found;
    }
  }

  private DirectoryReader live(DirectoryReader reader) throws IOException {
    return softDeletes ? new SoftDeletesDirectoryReaderWrapper(reader, DELETED) : reader;
  }

  private void assertDocuments(DirectoryReader reader, Map<Integer, Integer> expected, int most)
      throws IOException {
    assertEquals(expected.size(), reader.numDocs());
    for (LeafReaderContext context : reader.leaves()) {
      LeafReader leaf = context.reader();
      StoredFields stored = leaf.storedFields();
      SortedSetDocValues traces = DocValues.getSortedSet(leaf, "trace");
      SortedDocValues spans = DocValues.getSorted(leaf, "span");
      int step = 1 + leaf.maxDoc() / most;
      for (int doc = 0; doc < leaf.maxDoc(); doc += step) {
        if (leaf.getLiveDocs() != null && !leaf.getLiveDocs().get(doc)) {
          continue;
        }
        Document document = stored.document(doc);
        int id = Integer.parseInt(document.get("_id"));
        Integer n = expected.get(id);
        assertNotNull(n, () -> id + " was deleted or never written");
        assertEquals(n, document.getField("n").numericValue());
        assertSource(sources.get(n), document.getBinaryValue("_source"));
        assertTrue(traces.advanceExact(doc) && spans.advanceExact(doc));
        BytesRef trace = traces.lookupOrd(traces.nextOrd());
        assertEquals(hex(id, n, 32), trace.utf8ToString());
        assertEquals(hex(id, n, 16) + odd(n), spans.lookupOrd(spans.ordValue()).utf8ToString());
        assertTrue(leaf.docFreq(new Term("trace", trace)) > 0);
      }
    }
  }

  private static void assertSource(byte[] expected, BytesRef source) {
    if (expected.length == 0) {
      assertNull(source);
      return;
    }
    assertArrayEquals(
        expected,
        Arrays.copyOfRange(source.bytes, source.offset, source.offset + source.length),
        () -> new String(expected, StandardCharsets.UTF_8));
  }
}
