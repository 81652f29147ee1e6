package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.corpus.LogGenerator;
import io.millrace.storage.columnarsource.block.BlockBuilder;
import io.millrace.storage.columnarsource.block.SourceCounters;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import io.millrace.storage.zstandard.ZstandardCodec;
import io.millrace.storage.zstandard.ZstandardVariant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** Merges: copies of blocks, deletions, index sort, other codecs, full dictionaries. */
class ColumnarSourceMergeTest {
  private static final Codec COLUMNS = ColumnarSourceCodec.writing(ZstandardVariant.STANDARD);
  private final SourceCounters counters = ColumnarSourceCodec.registered().counters();

  private static List<byte[]> logs(int count) {
    LogGenerator generator = new LogGenerator(count);
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      documents.add(generator.next());
    }
    return documents;
  }

  private static IndexWriterConfig config(Codec codec) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    return new IndexWriterConfig().setCodec(codec).setMergePolicy(policy).setUseCompoundFile(false);
  }

  private static void write(
      Directory directory, IndexWriterConfig config, List<byte[]> documents, int from, int to)
      throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config.setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int i = from; i < to; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
        document.add(new StoredField("_source", documents.get(i)));
        document.add(new NumericDocValuesField("key", i * 7919L % 1000));
        document.add(new StoredField("n", i));
        writer.addDocument(document);
      }
    }
  }

  private static void mergeAll(Directory directory, IndexWriterConfig config) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
  }

  private static void assertDocuments(Directory directory, List<byte[]> documents, int expected)
      throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, reader.numDocs());
      StoredFields stored = reader.storedFields();
      var live = org.apache.lucene.index.MultiBits.getLiveDocs(reader);
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        if (live == null || live.get(doc)) {
          Document document = stored.document(doc);
          int i = Integer.parseInt(document.get("id"));
          assertEquals(i, document.getField("n").numericValue().intValue());
          var source = document.getBinaryValue("_source");
          byte[] bytes = new byte[source.length];
          System.arraycopy(source.bytes, source.offset, bytes, 0, source.length);
          assertArrayEquals(documents.get(i), bytes, "document " + i);
        }
      }
    }
  }

  @Test
  void fullBlocksAreCopied() throws IOException {
    List<byte[]> documents = logs(12_000);
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, config(COLUMNS), documents, 0, 5_000);
      write(directory, config(COLUMNS), documents, 5_000, 11_000);
      write(directory, config(COLUMNS), documents, 11_000, 12_000);
      long copied = counters.blocksCopied.sum();
      long encoded = counters.documents.sum();
      mergeAll(directory, config(COLUMNS));
      // 2048, 2048, 904 | 2048, 2048, 1904 | 1000: blocks from half the full size on are copied
      assertEquals(5, counters.blocksCopied.sum() - copied);
      assertEquals(904 + 1000, counters.documents.sum() - encoded);
      assertDocuments(directory, documents, 12_000);
    }
  }

  @Test
  void deletionsAreLeftOut() throws IOException {
    List<byte[]> documents = logs(9_000);
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, config(COLUMNS), documents, 0, 6_000);
      write(directory, config(COLUMNS), documents, 6_000, 9_000);
      try (IndexWriter writer =
          new IndexWriter(directory, config(COLUMNS).setMergePolicy(NoMergePolicy.INSTANCE))) {
        for (int i = 100; i < 200; i++) {
          writer.deleteDocuments(new Term("id", Integer.toString(i)));
        }
      }
      long copied = counters.blocksCopied.sum();
      mergeAll(directory, config(COLUMNS));
      assertTrue(counters.blocksCopied.sum() - copied >= 2, "untouched blocks are still copied");
      assertDocuments(directory, documents, 8_900);
    }
  }

  @Test
  void indexSortInterleaves() throws IOException {
    List<byte[]> documents = logs(7_000);
    Sort sort = new Sort(new SortField("key", SortField.Type.LONG));
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, config(COLUMNS).setIndexSort(sort), documents, 0, 4_000);
      write(directory, config(COLUMNS).setIndexSort(sort), documents, 4_000, 7_000);
      mergeAll(directory, config(COLUMNS).setIndexSort(sort));
      assertDocuments(directory, documents, 7_000);
    }
  }

  @Test
  void everyCodecAfterEveryOther() throws IOException {
    List<byte[]> documents = logs(6_000);
    byte[] large = new byte[3_000_000];
    new Random(1).nextBytes(large);
    documents.set(2_500, large);
    List<Codec> codecs =
        List.of(
            new Lucene104Codec(),
            COLUMNS,
            new Lucene104Codec(Lucene104Codec.Mode.BEST_COMPRESSION),
            ColumnarSourceCodec.writing(ZstandardVariant.ARCHIVE),
            ColumnarSourceCodec.writing(ZstandardVariant.SMALL),
            ZstandardCodec.registered(ZstandardVariant.STANDARD));
    try (Directory directory = new ByteBuffersDirectory()) {
      int written = 0;
      for (Codec codec : codecs) {
        write(directory, config(codec), documents, written, written + 1_000);
        written += 1_000;
        mergeAll(directory, config(codec));
        assertDocuments(directory, documents, written);
        SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
        assertEquals(1, infos.size());
        assertEquals(codec.getName(), infos.info(0).info.getCodec().getName());
      }
    }
  }

  /** More shapes and templates than a dictionary takes: documents stay as they are. */
  @Test
  void fullDictionaries() throws IOException {
    List<byte[]> documents = new ArrayList<>();
    Random random = new Random(4);
    for (int i = 0; i < 12_000; i++) {
      String word = Long.toString(random.nextLong() >>> 1, 26).replaceAll("[0-9]", "x");
      documents.add(
          ("{\"k" + i + "\":1,\"message\":\"" + word + " " + "long ".repeat(60) + word + " 17\"}")
              .getBytes(StandardCharsets.UTF_8));
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      long raw = counters.rawDocuments.sum();
      write(directory, config(COLUMNS), documents, 0, 6_000);
      write(directory, config(COLUMNS), documents, 6_000, 12_000);
      assertTrue(counters.rawDocuments.sum() > raw);
      mergeAll(directory, config(COLUMNS));
      assertDocuments(directory, documents, 12_000);
    }
  }

  private static SegmentLayout onlyLayout(DirectoryReader reader) {
    assertEquals(1, reader.leaves().size());
    CodecReader leaf = (CodecReader) reader.leaves().get(0).reader();
    return ((ColumnarSourceReader) leaf.getFieldsReader()).layout();
  }

  /** The blocks of one segment by what they hold; large documents stand alone. */
  private static void assertLargeStandAlone(Directory directory, List<byte[]> documents)
      throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      SegmentLayout layout = onlyLayout(reader);
      StoredFields stored = reader.storedFields();
      int large = 0;
      for (int block = 0; block < layout.blocks(); block++) {
        int most = 0;
        for (int i = 0; i < layout.documents(block); i++) {
          Document document = stored.document(layout.firstDocuments()[block] + i);
          most = Math.max(most, documents.get(Integer.parseInt(document.get("id"))).length);
        }
        if (most >= BlockBuilder.ALONE) {
          assertEquals(1, layout.documents(block), "documents beside one of " + most + " bytes");
          large++;
        } else {
          assertTrue(layout.length(block) <= BlockBuilder.MAX_BYTES + BlockBuilder.ALONE);
        }
      }
      assertEquals(3, large);
    }
  }

  @Test
  void largeDocumentsStandAloneInAndAfterMerges() throws IOException {
    List<byte[]> documents = logs(5_000);
    byte[] noise = new byte[8 << 20];
    new Random(7).nextBytes(noise);
    documents.set(700, noise); // kept as it is
    documents.set(
        701,
        ("{\"message\":\"" + "stack of calls ".repeat(60_000) + "\"}")
            .getBytes(StandardCharsets.UTF_8));
    documents.set(3_999, new byte[BlockBuilder.ALONE]);
    Sort sort = new Sort(new SortField("key", SortField.Type.LONG));
    for (boolean sorted : new boolean[] {false, true}) {
      try (Directory directory = new ByteBuffersDirectory()) {
        for (int from = 0; from < 5_000; from += 2_500) {
          IndexWriterConfig config = config(COLUMNS);
          write(
              directory,
              sorted ? config.setIndexSort(sort) : config,
              documents,
              from,
              from + 2_500);
        }
        try (IndexWriter writer =
            new IndexWriter(
                directory,
                (sorted ? config(COLUMNS).setIndexSort(sort) : config(COLUMNS))
                    .setMergePolicy(NoMergePolicy.INSTANCE))) {
          writer.deleteDocuments(new Term("id", "702"), new Term("id", "10"));
        }
        mergeAll(directory, sorted ? config(COLUMNS).setIndexSort(sort) : config(COLUMNS));
        assertDocuments(directory, documents, 4_998);
        assertLargeStandAlone(directory, documents);
      }
    }
  }

  @Test
  void blocksThatHoldALargeDocumentAmongOthersAreTakenApart() {
    int large = BlockBuilder.MAX_BYTES + BlockBuilder.ALONE + 1;
    assertFalse(SourceMerge.isWorthACopy(2, large));
    assertTrue(SourceMerge.isWorthACopy(1, large));
    assertTrue(SourceMerge.isWorthACopy(SourceMerge.WORTH_A_COPY, 1_000));
    assertFalse(SourceMerge.isWorthACopy(SourceMerge.WORTH_A_COPY - 1, 1_000));
  }
}
