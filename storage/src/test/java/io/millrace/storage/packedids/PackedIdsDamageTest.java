package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.damage.SegmentDamage;
import io.millrace.storage.damage.SegmentFiles;
import java.io.IOException;
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

  private static SegmentDamage damage() throws IOException {
    return new SegmentDamage(segment(), PackedIdsDamageTest::read);
  }

  private static boolean read(DirectoryReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
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
    return true;
  }

  @Test
  void flippedBits() throws IOException {
    SegmentDamage damage = damage();
    assertTrue(
        damage.files().keySet().stream()
            .anyMatch(name -> name.contains(PackedIdsPostingsFormat.NAME)));
    damage.flipBits(name -> 150, (name, what, outcome) -> {});
  }

  @Test
  void truncation() throws IOException {
    damage().cut(30);
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
