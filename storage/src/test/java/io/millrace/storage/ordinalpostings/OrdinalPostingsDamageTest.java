package io.millrace.storage.ordinalpostings;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.damage.SegmentDamage;
import io.millrace.storage.damage.SegmentFiles;
import java.io.IOException;
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

  private static SegmentDamage damage() throws IOException {
    return new SegmentDamage(
        segment(),
        reader -> {
          for (LeafReaderContext leaf : reader.leaves()) {
            for (String field : List.of("trace", "host")) {
              readTerms(leaf.reader(), field);
            }
          }
          return true;
        });
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
    SegmentDamage damage = damage();
    for (String extension : List.of(".olm", ".old")) {
      assertTrue(damage.files().keySet().stream().anyMatch(name -> name.endsWith(extension)));
    }
    damage.flipBits(
        name -> name.contains(OrdinalListsDocValuesFormat.NAME) ? 600 : 60,
        (name, what, outcome) -> {});
  }

  @Test
  void truncation() throws IOException {
    damage().cut(30);
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
