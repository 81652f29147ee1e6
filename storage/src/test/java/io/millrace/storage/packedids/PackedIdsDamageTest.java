package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.storage.zstandard.SegmentFiles;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/**
 * Damage: the check that merges, recoveries and snapshots run finds every flipped bit, a cut file
 * never opens, and whatever Lucene's structures give when nobody checked never leaves our own code
 * as anything but a CorruptIndexException.
 */
class PackedIdsDamageTest {
  private static final int DOCUMENTS = 300;

  private static Map<String, byte[]> segment() throws IOException {
    Random random = new Random(1);
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setCodec(new PackedIdsCodec(new Lucene104Codec()))
              .setUseCompoundFile(false);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
          Document document = new Document();
          document.add(new StringField("trace", id, Store.NO));
          document.add(new SortedSetDocValuesField("trace", new BytesRef(id)));
          writer.addDocument(document);
        }
      }
      return SegmentFiles.of(directory);
    }
  }

  /** True if it was refused. */
  private static boolean read(Directory directory, boolean checkFirst, String what) {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        if (checkFirst) {
          leaf.reader().checkIntegrity();
        }
        TermsEnum terms = leaf.reader().terms("trace").iterator();
        terms.seekCeil(new BytesRef("7"));
        for (int i = 0; i < DOCUMENTS && terms.next() != null; i++) {
          terms.docFreq();
        }
        SortedSetDocValues values = leaf.reader().getSortedSetDocValues("trace");
        for (long ord = 0; ord < Math.min(DOCUMENTS, values.getValueCount()); ord++) {
          values.lookupOrd(ord);
        }
        values.lookupTerm(new BytesRef("8"));
      }
      return false;
    } catch (CorruptIndexException
        | EOFException
        | IndexFormatTooNewException
        | IndexFormatTooOldException e) {
      return true;
    } catch (IOException | RuntimeException | AssertionError e) {
      if (e.getStackTrace()[0].getClassName().startsWith("io.millrace")) {
        return fail(what + " escaped our own checks", e);
      }
      return false;
    }
  }

  @Test
  void flippedBits() throws IOException {
    Map<String, byte[]> files = segment();
    assertTrue(
        files.keySet().stream().anyMatch(name -> name.contains(PackedIdsPostingsFormat.NAME)));
    Random random = new Random(3);
    for (String name : files.keySet()) {
      byte[] sound = files.get(name);
      for (int i = 0; i < Math.min(sound.length * 8, 150); i++) {
        int bit = random.nextInt(sound.length * 8);
        byte[] damaged = sound.clone();
        damaged[bit / 8] ^= (byte) (1 << (bit % 8));
        String what = name + " bit " + bit;
        try (Directory directory = SegmentFiles.with(files, name, damaged)) {
          assertTrue(read(directory, true, what), what);
          read(directory, false, what);
        }
      }
    }
  }

  @Test
  void truncation() throws IOException {
    Map<String, byte[]> files = segment();
    for (String name : files.keySet()) {
      byte[] sound = files.get(name);
      for (int keep = 0; keep < sound.length; keep += Math.max(1, sound.length / 30)) {
        String what = name + " cut to " + keep;
        try (Directory directory = SegmentFiles.with(files, name, Arrays.copyOf(sound, keep))) {
          assertTrue(read(directory, false, what), what);
        }
      }
    }
  }

  @Test
  void attributes() throws IOException {
    Map<String, byte[]> files = segment();
    FieldInfo field;
    try (Directory directory = SegmentFiles.with(files, "", new byte[0]);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      field = reader.leaves().getFirst().reader().getFieldInfos().fieldInfo("trace");
    }
    for (String key : List.of(PackedIdsPostingsFormat.WIDTH, PackedIdsDocValuesFormat.WIDTH)) {
      assertEquals(32, HexTerms.recorded(field, key));
      for (String bad : List.of("", "x", "-2", "15", "17", "130", "2000000000", "99999999999")) {
        field.putAttribute(key, bad);
        assertThrows(CorruptIndexException.class, () -> HexTerms.recorded(field, key), bad);
      }
    }
    assertEquals(-1, HexTerms.recorded(field, "another"));
    assertEquals(-1, HexTerms.recorded(null, PackedIdsPostingsFormat.WIDTH));
  }
}
