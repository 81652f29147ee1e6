package io.millrace.storage.zstandard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** An index whose codec is changed again and again keeps every document byte for byte. */
class MixedCodecMergeTest {
  private static final Codec LZ4 = new Lucene104Codec();
  private static final Codec DEFLATE = new Lucene104Codec(Lucene104Codec.Mode.BEST_COMPRESSION);

  private final List<byte[]> documents = documents();

  private static List<byte[]> documents() {
    List<byte[]> all = new ArrayList<>(LogDocuments.generate(900, 11));
    Random random = new Random(2);
    for (int length : new int[] {0, 1, 40_000, 70_000, 300_000}) {
      byte[] incompressible = new byte[length];
      random.nextBytes(incompressible);
      all.add(random.nextInt(all.size()), incompressible);
    }
    return all;
  }

  private static Codec zstandard(ZstandardVariant variant, int level) {
    return ZstandardCodec.registered(variant).over(LZ4, level);
  }

  private static IndexWriterConfig config(Codec codec) {
    return new IndexWriterConfig().setCodec(codec).setUseCompoundFile(false);
  }

  private void write(Directory directory, Codec codec, int from, int to) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config(codec).setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int i = from; i < to; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Store.YES));
        document.add(new StoredField("source", documents.get(i)));
        document.add(new StoredField("n", i));
        writer.addDocument(document);
      }
    }
  }

  private void rewrite(Directory directory, Codec codec) throws IOException {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    try (IndexWriter writer = new IndexWriter(directory, config(codec).setMergePolicy(policy))) {
      writer.forceMerge(1);
    }
  }

  private void assertDocuments(Directory directory, int expected) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, reader.numDocs());
      StoredFields stored = reader.storedFields();
      var live = org.apache.lucene.index.MultiBits.getLiveDocs(reader);
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        if (live != null && !live.get(doc)) {
          continue;
        }
        Document document = stored.document(doc);
        int i = Integer.parseInt(document.get("id"));
        assertEquals(i, document.getField("n").numericValue().intValue());
        var source = document.getBinaryValue("source");
        byte[] bytes = new byte[source.length];
        System.arraycopy(source.bytes, source.offset, bytes, 0, source.length);
        assertArrayEquals(documents.get(i), bytes, "document " + i);
      }
    }
  }

  @Test
  void everyCodecAfterEveryOther() throws IOException {
    List<Codec> codecs =
        List.of(
            LZ4,
            zstandard(ZstandardVariant.STANDARD, 3),
            zstandard(ZstandardVariant.STANDARD, 6),
            DEFLATE,
            zstandard(ZstandardVariant.ARCHIVE, 1),
            zstandard(ZstandardVariant.SMALL, 3),
            LZ4,
            DEFLATE);
    int step = documents.size() / codecs.size();
    try (Directory directory = new ByteBuffersDirectory()) {
      int written = 0;
      for (Codec codec : codecs) {
        write(directory, codec, written, written + step);
        written += step;
        assertDocuments(directory, written);
        rewrite(directory, codec);
        assertDocuments(directory, written);
        SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
        assertEquals(1, infos.size());
        assertEquals(codec.getName(), infos.info(0).info.getCodec().getName());
      }
    }
  }

  @Test
  void deletionsAndIndexSortKeepTheRest() throws IOException {
    Codec codec = zstandard(ZstandardVariant.STANDARD, 3);
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, LZ4, 0, 300);
      write(directory, codec, 300, 600);
      try (IndexWriter writer =
          new IndexWriter(directory, config(codec).setMergePolicy(NoMergePolicy.INSTANCE))) {
        for (int i = 0; i < 600; i += 3) {
          writer.deleteDocuments(new Term("id", Integer.toString(i)));
        }
      }
      rewrite(directory, codec);
      assertDocuments(directory, 400);
    }
  }

  @Test
  void blocksAreCopiedBetweenSegmentsOfOneLevel() throws IOException {
    ZstandardCounters counters = ZstandardCodec.registered(ZstandardVariant.STANDARD).counters();
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, zstandard(ZstandardVariant.STANDARD, 2), 0, 450);
      write(directory, zstandard(ZstandardVariant.STANDARD, 2), 450, 900);
      long before = counters.compressedIn.sum();
      rewrite(directory, zstandard(ZstandardVariant.STANDARD, 2));
      long copied = counters.compressedIn.sum() - before;
      assertDocuments(directory, 900);

      before = counters.compressedIn.sum();
      write(directory, zstandard(ZstandardVariant.STANDARD, 2), 900, 902);
      rewrite(directory, zstandard(ZstandardVariant.STANDARD, 5));
      long recompressed = counters.compressedIn.sum() - before;
      assertDocuments(directory, 902);
      assertTrue(
          copied < recompressed / 2, "copying compressed " + copied + ", not " + recompressed);
    }
  }
}
