package io.millrace.storage.ordinalpostings;

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
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/**
 * Damage: the check that merges, recoveries and snapshots run finds every flipped bit, a cut file
 * never opens, and a reader that nobody checked gives a document of the segment or a
 * CorruptIndexException.
 */
class OrdinalPostingsDamageTest {
  private static final int DOCUMENTS = 300;

  private static Map<String, byte[]> segment() throws IOException {
    Random random = new Random(1);
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setCodec(OrdinalPostingsCodec.over(new Lucene104Codec(), field -> true))
              .setUseCompoundFile(false);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = new Document();
          // one list of one entry for each term, and lists of many
          add(document, "trace", "%016x".formatted(random.nextLong()));
          add(document, "host", "web-" + random.nextInt(5));
          writer.addDocument(document);
        }
      }
      return SegmentFiles.of(directory);
    }
  }

  private static void add(Document document, String field, String value) {
    document.add(new StringField(field, value, Store.NO));
    document.add(new SortedSetDocValuesField(field, new BytesRef(value)));
  }

  /** True if it was refused. */
  private static boolean read(Directory directory, boolean checkFirst, String what) {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        if (checkFirst) {
          leaf.reader().checkIntegrity();
        }
        for (String field : List.of("trace", "host")) {
          readTerms(leaf.reader(), field);
        }
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

  private static void readTerms(LeafReader leaf, String field) throws IOException {
    TermsEnum terms = leaf.terms(field).iterator();
    terms.seekCeil(new BytesRef("7"));
    terms.seekExact(new BytesRef("web-3"));
    terms = leaf.terms(field).iterator();
    for (int i = 0; i < DOCUMENTS && terms.next() != null; i++) {
      terms.docFreq();
      PostingsEnum documents = terms.postings(null, PostingsEnum.NONE);
      for (int n = 0; n < DOCUMENTS; n++) {
        int doc = n % 7 == 3 ? documents.advance(documents.docID() + 3) : documents.nextDoc();
        if (doc == DocIdSetIterator.NO_MORE_DOCS) {
          break;
        }
        assertTrue(doc >= 0 && doc < leaf.maxDoc());
      }
    }
  }

  @Test
  void flippedBits() throws IOException {
    Map<String, byte[]> files = segment();
    for (String extension : List.of(".olm", ".old")) {
      assertTrue(files.keySet().stream().anyMatch(name -> name.endsWith(extension)), extension);
    }
    Random random = new Random(3);
    for (String name : files.keySet()) {
      byte[] sound = files.get(name);
      int tries = name.contains(OrdinalListsDocValuesFormat.NAME) ? 600 : 60;
      for (int i = 0; i < Math.min(sound.length * 8, tries); i++) {
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

  /** A codec that gives one format without the other is found out when its segment is opened. */
  @Test
  void listsAreMissing() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setCodec(
                  new Lucene104Codec() {
                    @Override
                    public PostingsFormat getPostingsFormatForField(String field) {
                      return new OrdinalPostingsFormat();
                    }
                  });
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        Document document = new Document();
        add(document, "trace", "a");
        writer.addDocument(document);
      }
      assertThrows(CorruptIndexException.class, () -> DirectoryReader.open(directory).close());
    }
  }
}
