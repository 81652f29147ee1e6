package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.conformance.SameAnswers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same operations on two indices, one packed: every term, seek, automaton, ordinal and document
 * must be the same in every segment, after flushes, deletions, merges and with an index sort.
 *
 * <p>{@code -Dmillrace.fuzz.seed=} moves all seeds.
 */
class PackedIdsFuzz {
  private static final List<String> FIELDS = List.of("trace", "span", "sometimes", "word", "_hex");

  private static Document document(Random random, List<String> pool, boolean odd, int n) {
    Document document = new Document();
    document.add(new StringField("n", Integer.toString(n), Store.NO));
    int traces = random.nextInt(4);
    for (int i = 0; i < traces; i++) {
      String trace = pool.get(random.nextInt(pool.size()));
      document.add(new StringField("trace", trace, Store.NO));
      document.add(new SortedSetDocValuesField("trace", new BytesRef(trace)));
    }
    if (random.nextInt(10) > 0) {
      String span = SameAnswers.hex(random, 16);
      document.add(new StringField("span", span, Store.NO));
      document.add(new SortedDocValuesField("span", new BytesRef(span)));
      document.add(new StringField("_hex", span, Store.NO));
      document.add(new SortedDocValuesField("_hex", new BytesRef(span)));
    }
    String sometimes = odd && random.nextInt(30) == 0 ? "-" : SameAnswers.hex(random, 20);
    document.add(new StringField("sometimes", sometimes, Store.NO));
    document.add(new SortedSetDocValuesField("sometimes", new BytesRef(sometimes)));
    String word = SameAnswers.hex(random, random.nextInt(5));
    document.add(new StringField("word", word, Store.NO));
    document.add(new SortedSetDocValuesField("word", new BytesRef(word)));
    return document;
  }

  private static void write(Directory directory, Codec codec, long seed, boolean sorted)
      throws IOException {
    Random random = new Random(seed);
    List<String> pool = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      pool.add(SameAnswers.hex(random, 32));
    }
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(3 + random.nextInt(3));
    policy.setMinMergeDocs(20);
    policy.setNoCFSRatio(random.nextInt(2));
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(codec)
            .setMergePolicy(policy)
            .setMergeScheduler(new SerialMergeScheduler())
            .setUseCompoundFile(random.nextBoolean());
    if (sorted) {
      config.setIndexSort(new Sort(new SortField("span", SortField.Type.STRING)));
    }
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      int n = 0;
      for (int segment = 0; segment < 9; segment++) {
        boolean odd = segment % 4 == 2;
        int documents = 1 + random.nextInt(200);
        for (int i = 0; i < documents; i++) {
          writer.addDocument(document(random, pool, odd, n++));
          if (random.nextInt(6) == 0) {
            writer.deleteDocuments(new Term("n", Integer.toString(random.nextInt(n))));
          }
        }
        // by a packed term
        writer.deleteDocuments(new Term("trace", pool.get(random.nextInt(pool.size()))));
        writer.commit();
      }
      if (random.nextBoolean()) {
        writer.forceMerge(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void asTheDelegate(int round) throws IOException {
    long seed = Long.getLong("millrace.fuzz.seed", 42) * 1000 + round;
    boolean sorted = round % 3 == 0;
    try (Directory plain = new ByteBuffersDirectory();
        Directory packed = new ByteBuffersDirectory()) {
      write(plain, new Lucene104Codec(), seed, sorted);
      write(packed, new PackedIdsCodec(new Lucene104Codec()), seed, sorted);
      try (CheckIndex check = new CheckIndex(packed)) {
        assertTrue(check.checkIndex().clean);
      }
      try (DirectoryReader one = DirectoryReader.open(plain);
          DirectoryReader other = DirectoryReader.open(packed)) {
        assertEquals(one.leaves().size(), other.leaves().size());
        int packedFields = 0;
        for (int i = 0; i < one.leaves().size(); i++) {
          LeafReader expected = one.leaves().get(i).reader();
          LeafReader actual = other.leaves().get(i).reader();
          assertEquals(expected.maxDoc(), actual.maxDoc());
          assertEquals(expected.numDocs(), actual.numDocs());
          for (String field : FIELDS) {
            SameAnswers.terms(expected.terms(field), actual.terms(field), new Random(seed + i));
            SameAnswers.values(expected, actual, field, new Random(seed + i));
            packedFields += actual.terms(field) instanceof PackedTerms ? 1 : 0;
          }
          assertTrue(actual.terms("span") instanceof PackedTerms);
          assertTrue(!(actual.terms("_hex") instanceof PackedTerms));
        }
        assertTrue(packedFields >= 2 * other.leaves().size(), "packed " + packedFields);
      }
    }
  }
}
