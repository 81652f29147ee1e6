package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.corpus.LogGenerator;
import io.millrace.storage.damage.SegmentFiles;
import io.millrace.storage.zstandard.ZstandardVariant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;

/** A document whose {@code _source} is not all of it comes back whole, too. */
class RecoverySourceTest {
  private static final Codec COLUMNS = ColumnarSourceCodec.writing(ZstandardVariant.STANDARD);
  private static final int COUNT = 5_000;

  /** One document; without what a mapping leaves out, null where it leaves all of it. */
  private record Sources(byte[] filtered, byte[] whole) {}

  private static byte[] filtered(byte[] whole) throws IOException {
    var map = XContentHelper.convertToMap(new BytesArray(whole), true, XContentType.JSON).v2();
    var filter = XContentMapValues.filter(new String[0], new String[] {"message", "host"}, true);
    try (var builder = org.opensearch.common.xcontent.XContentFactory.jsonBuilder()) {
      return BytesReference.toBytes(BytesReference.bytes(builder.map(filter.apply(map))));
    }
  }

  /** With a long value that no codec makes shorter, as the spans of a trace are. */
  private static byte[] withNoise(byte[] line, Random random) {
    byte[] noise = new byte[240];
    random.nextBytes(noise);
    String text = new String(line, StandardCharsets.UTF_8);
    return (text.substring(0, text.lastIndexOf('}'))
            + ",\"noise\":\""
            + Base64.getEncoder().encodeToString(noise)
            + "\"}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<Sources> documents() throws IOException {
    LogGenerator generator = new LogGenerator(16);
    Random random = new Random(16);
    List<Sources> documents = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      byte[] whole = withNoise(generator.next(), random);
      byte[] kept = filtered(whole);
      if (i % 100 == 3) {
        kept = null;
      } else if (i % 100 == 4) {
        kept = new byte[] {7};
      } else if (i % 1000 == 5) {
        whole = new byte[300_000];
        random.nextBytes(whole);
      }
      documents.add(new Sources(kept, whole));
    }
    return documents;
  }

  private static IndexWriterConfig config(Codec codec) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    return new IndexWriterConfig().setCodec(codec).setMergePolicy(policy).setUseCompoundFile(false);
  }

  private static void write(
      Directory directory, Codec codec, List<Sources> documents, int from, int to)
      throws IOException {
    write(directory, codec, documents, from, to, "_recovery_source");
  }

  private static void write(
      Directory directory, Codec codec, List<Sources> documents, int from, int to, String field)
      throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config(codec).setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int i = from; i < to; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), StringField.Store.YES));
        if (documents.get(i).filtered != null) {
          document.add(new StoredField("_source", documents.get(i).filtered));
        }
        document.add(new StoredField(field, documents.get(i).whole));
        document.add(new StoredField("n", i));
        writer.addDocument(document);
      }
    }
  }

  private static void mergeAll(Directory directory, Codec codec) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config(codec))) {
      writer.forceMerge(1);
    }
  }

  private static byte[] bytes(BytesRef value) {
    return BytesRef.deepCopyOf(value).bytes;
  }

  private static void assertDocuments(Directory directory, List<Sources> documents, int expected)
      throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, reader.numDocs());
      StoredFields stored = reader.storedFields();
      var live = org.apache.lucene.index.MultiBits.getLiveDocs(reader);
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        if (live != null && !live.get(doc)) {
          continue;
        }
        Document all = stored.document(doc);
        int i = Integer.parseInt(all.get("id"));
        assertEquals(i, all.getField("n").numericValue().intValue());
        Sources sources = documents.get(i);
        assertArrayEquals(sources.whole, bytes(all.getBinaryValue("_recovery_source")));
        if (sources.filtered == null) {
          assertNull(all.getBinaryValue("_source"));
        } else {
          assertArrayEquals(sources.filtered, bytes(all.getBinaryValue("_source")));
        }
        // as a recovery reads: without _source
        Document alone = stored.document(doc, Set.of("_recovery_source", "n"));
        assertNull(alone.getBinaryValue("_source"));
        assertArrayEquals(sources.whole, bytes(alone.getBinaryValue("_recovery_source")));
        Document source = stored.document(doc, Set.of("_source"));
        assertNull(source.getBinaryValue("_recovery_source"));
      }
    }
  }

  private static long stored(Directory directory) throws IOException {
    long bytes = 0;
    for (String name : directory.listAll()) {
      if (name.endsWith(".fdt")) {
        bytes += directory.fileLength(name);
      }
    }
    return bytes;
  }

  @Test
  void itIsADifferenceInAndAfterMerges() throws IOException {
    List<Sources> documents = documents();
    try (Directory directory = new ByteBuffersDirectory();
        Directory plain = new ByteBuffersDirectory()) {
      write(directory, COLUMNS, documents, 6, 96);
      write(plain, COLUMNS, documents, 6, 96, "another_field");
      assertTrue(stored(directory) < 0.4 * stored(plain), stored(directory) + " bytes");
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, COLUMNS, documents, 0, 3_000);
      write(directory, COLUMNS, documents, 3_000, COUNT);
      assertDocuments(directory, documents, COUNT);
      mergeAll(directory, COLUMNS);
      assertDocuments(directory, documents, COUNT);
    }
  }

  @Test
  void deletionsAndOtherCodecs() throws IOException {
    List<Sources> documents = documents();
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, COLUMNS, documents, 0, 2_000);
      write(directory, new Lucene104Codec(), documents, 2_000, 3_000);
      try (IndexWriter writer =
          new IndexWriter(directory, config(COLUMNS).setMergePolicy(NoMergePolicy.INSTANCE))) {
        writer.deleteDocuments(new Term("id", "17"), new Term("id", "2100"));
      }
      mergeAll(directory, COLUMNS);
      assertDocuments(directory, documents, 2_998);
      write(directory, COLUMNS, documents, 3_000, COUNT);
      mergeAll(directory, new Lucene104Codec());
      assertDocuments(directory, documents, COUNT - 2);
      write(directory, COLUMNS, documents, 17, 18);
      mergeAll(directory, ColumnarSourceCodec.writing(ZstandardVariant.ARCHIVE));
      assertDocuments(directory, documents, COUNT - 1);
    }
  }

  /** A segment of an earlier version holds the documents themselves. */
  @Test
  void whatAnEarlierVersionWroteIsReadAndMerged() throws IOException {
    List<Sources> documents = documents();
    // its values, as this version writes them, are what the earlier one was given
    List<Sources> earlier = new ArrayList<>(documents);
    for (int i = 0; i < 50; i++) {
      byte[] text = ("written before, " + i).getBytes(StandardCharsets.UTF_8);
      byte[] kept = new byte[text.length + 1];
      System.arraycopy(text, 0, kept, 1, text.length);
      documents.set(i, new Sources(documents.get(i).filtered, text));
      earlier.set(i, new Sources(documents.get(i).filtered, kept));
    }
    try (Directory written = new ByteBuffersDirectory()) {
      write(written, COLUMNS, documents, 0, 50);
      Map<String, byte[]> files = SegmentFiles.of(written);
      String meta =
          files.keySet().stream().filter(name -> name.endsWith(".msm")).findFirst().orElseThrow();
      try (Directory directory = SegmentFiles.with(files, meta, older(files.get(meta)))) {
        assertDocuments(directory, earlier, 50);
        write(directory, COLUMNS, earlier, 50, 3_000);
        mergeAll(directory, COLUMNS);
        assertDocuments(directory, earlier, 3_000);
        SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
        assertEquals(1, infos.size());
        for (SegmentCommitInfo info : infos) {
          assertEquals(ColumnarSourceCodec.NAME, info.info.getCodec().getName());
        }
      }
    }
  }

  /** The same file of version 0, with its checksum. */
  private static byte[] older(byte[] file) {
    byte[] changed = file.clone();
    int version = CodecUtil.headerLength(ColumnarSourceFormat.META) - 1;
    assertEquals(ColumnarSourceFormat.META_VERSION, changed[version]);
    changed[version] = ColumnarSourceFormat.META_FIRST_VERSION;
    CRC32 crc = new CRC32();
    crc.update(changed, 0, changed.length - Long.BYTES);
    for (int i = 0; i < Long.BYTES; i++) {
      changed[changed.length - 1 - i] = (byte) (crc.getValue() >>> 8 * i);
    }
    return changed;
  }
}
