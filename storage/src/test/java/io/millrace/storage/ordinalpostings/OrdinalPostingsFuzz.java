package io.millrace.storage.ordinalpostings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.conformance.SameAnswers;
import io.millrace.storage.packedids.PackedIdsCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.Lucene90DocValuesFormat;
import org.apache.lucene.codecs.perfield.PerFieldDocValuesFormat;
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
 * The same operations on two indices, one with ordinal postings: every term, seek, automaton,
 * ordinal, statistic and document must be the same in every segment, after flushes, deletions,
 * merges, with an index sort, and after a merge by a codec that knows nothing of them.
 *
 * <p>{@code -Dmillrace.fuzz.seed=} moves all seeds, {@code -Dmillrace.fuzz.scale=} makes the
 * indices larger.
 */
class OrdinalPostingsFuzz {
  private static final List<String> FIELDS = List.of("trace", "unique", "level", "word", "rare");
  private static final int SCALE = Integer.getInteger("millrace.fuzz.scale", 1);

  private static void keyword(Document document, String field, String value) {
    document.add(new StringField(field, value, Store.NO));
    document.add(new SortedSetDocValuesField(field, new BytesRef(value)));
  }

  /** Many values, one value, few terms with long lists, short and empty terms, few documents. */
  private static Document document(Random random, List<String> pool, int n) {
    Document document = new Document();
    document.add(new StringField("n", Integer.toString(n), Store.NO));
    document.add(new SortedDocValuesField("sort", new BytesRef(SameAnswers.hex(random, 8))));
    for (int i = random.nextInt(4); i > 0; i--) {
      keyword(document, "trace", pool.get(random.nextInt(pool.size())));
    }
    if (random.nextInt(10) > 0) {
      keyword(document, "unique", SameAnswers.hex(random, 32));
    }
    keyword(document, "level", random.nextInt(9) == 0 ? "ERROR" : "INFO");
    keyword(document, "word", SameAnswers.hex(random, random.nextInt(5)));
    if (random.nextInt(40) == 0) {
      keyword(document, "rare", "only");
    }
    return document;
  }

  /**
   * Terms of documents as they are, left out, left out with their doc values, or this in some
   * documents and all as they are in others.
   */
  private enum Terms {
    KEPT,
    OMITTED,
    GATHERED,
    MIXED
  }

  private static void write(
      Directory directory, Codec codec, long seed, boolean sorted, Terms terms) throws IOException {
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
      config.setIndexSort(new Sort(new SortField("sort", SortField.Type.STRING)));
    }
    GatheredIds ids = OrdinalPostingsCodec.idsOf(codec);
    TermOmission omission =
        new TermOmission(
            field -> !field.equals("n"),
            field -> terms != Terms.OMITTED && Objects.requireNonNull(ids).gathers(field));
    Random kept = new Random(seed);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      int n = 0;
      for (int segment = 0; segment < 9; segment++) {
        int documents = 1 + random.nextInt(200 * SCALE);
        for (int i = 0; i < documents; i++) {
          Document document = document(random, pool, n++);
          boolean asItIs = terms == Terms.MIXED && kept.nextInt(3) == 0;
          if (terms != Terms.KEPT && !asItIs) {
            List<org.apache.lucene.index.IndexableField> fields =
                new ArrayList<>(document.getFields());
            omission.apply(fields);
            writer.addDocument(fields);
          } else {
            writer.addDocument(document);
          }
          if (random.nextInt(6) == 0) {
            writer.deleteDocuments(new Term("n", Integer.toString(random.nextInt(n))));
          }
        }
        writer.commit();
        // by a term that stands in doc values only, in segments that are there
        writer.deleteDocuments(new Term("trace", pool.get(random.nextInt(pool.size()))));
        writer.commit();
      }
      if (random.nextBoolean()) {
        writer.forceMerge(1);
      }
    }
  }

  /** Sorts pairs in runs of a few, so that every merge here uses temporary files. */
  private static Codec tiny(Codec codec) {
    Codec ordinals = OrdinalPostingsCodec.over(codec, field -> !field.equals("n"));
    PerFieldDocValuesFormat values = (PerFieldDocValuesFormat) ordinals.docValuesFormat();
    DocValuesFormat lists = new OrdinalListsDocValuesFormat(new Lucene90DocValuesFormat(), 7, null);
    return new FilterCodec(codec.getName(), ordinals) {
      @Override
      public DocValuesFormat docValuesFormat() {
        return new PerFieldDocValuesFormat() {
          @Override
          public DocValuesFormat getDocValuesFormatForField(String field) {
            DocValuesFormat format = values.getDocValuesFormatForField(field);
            return format instanceof OrdinalListsDocValuesFormat ? lists : format;
          }
        };
      }
    };
  }

  private static Codec codec(int round) {
    return switch (round % 4) {
      case 0 -> tiny(new Lucene104Codec());
      case 1 ->
          OrdinalPostingsCodec.over(
              new PackedIdsCodec(new Lucene104Codec()), field -> !field.equals("n"));
      default -> OrdinalPostingsCodec.over(new Lucene104Codec(), field -> !field.equals("n"));
    };
  }

  /** Word has Lucene's own values, as it may have in an index whose fields differ. */
  private static Codec gathering(int round) {
    Codec in = round % 2 == 0 ? new Lucene104Codec() : new PackedIdsCodec(new Lucene104Codec());
    return OrdinalPostingsCodec.over(
        in,
        field -> !field.equals("n"),
        new GatheredIds(field -> !field.equals("n") && !field.equals("word")));
  }

  private static Codec likeGathering(int round) {
    Codec in = round % 2 == 0 ? new Lucene104Codec() : new PackedIdsCodec(new Lucene104Codec());
    return OrdinalPostingsCodec.over(in, field -> !field.equals("n"));
  }

  /** All files but those whose names differ by chance, with their lengths. */
  private static Map<String, Long> files(Directory directory) throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    for (String file : directory.listAll()) {
      lengths.put(file, directory.fileLength(file));
    }
    return lengths;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void gathered(int round) throws IOException {
    gathered(round, Terms.GATHERED);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void gatheredFromSomeDocuments(int round) throws IOException {
    gathered(round, Terms.MIXED);
  }

  private static void gathered(int round, Terms terms) throws IOException {
    long seed = Long.getLong("millrace.fuzz.seed", 42) * 1000 + 500 + round;
    try (Directory plain = new ByteBuffersDirectory();
        Directory omitted = new ByteBuffersDirectory();
        Directory gathered = new ByteBuffersDirectory()) {
      write(plain, new Lucene104Codec(), seed, false, Terms.KEPT);
      write(omitted, likeGathering(round), seed, false, Terms.OMITTED);
      write(gathered, gathering(round), seed, false, terms);
      same(plain, gathered, seed, ValuesTerms.class);
      assertEquals(files(omitted), files(gathered));
      forceMerge(plain, new Lucene104Codec(), false);
      forceMerge(gathered, gathering(round), false);
      same(plain, gathered, seed, ValuesTerms.class);
    }
  }

  private static void same(Directory plain, Directory ordinals, long seed, Class<?> kind)
      throws IOException {
    try (CheckIndex check = new CheckIndex(ordinals)) {
      check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);
      assertTrue(check.checkIndex().clean);
    }
    try (DirectoryReader one = DirectoryReader.open(plain);
        DirectoryReader other = DirectoryReader.open(ordinals)) {
      assertEquals(one.leaves().size(), other.leaves().size());
      for (int i = 0; i < one.leaves().size(); i++) {
        LeafReader expected = one.leaves().get(i).reader();
        LeafReader actual = other.leaves().get(i).reader();
        assertEquals(expected.maxDoc(), actual.maxDoc());
        assertEquals(expected.numDocs(), actual.numDocs());
        for (String field : FIELDS) {
          SameAnswers.terms(expected.terms(field), actual.terms(field), new Random(seed + i));
          SameAnswers.values(expected, actual, field, new Random(seed + i));
        }
        assertInstanceOf(kind, actual.terms("level"));
        assertFalse(actual.terms("n") instanceof ValuesTerms);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void asPostings(int round) throws IOException {
    long seed = Long.getLong("millrace.fuzz.seed", 42) * 1000 + round;
    boolean sorted = round > 4;
    try (Directory plain = new ByteBuffersDirectory();
        Directory ordinals = new ByteBuffersDirectory()) {
      write(plain, new Lucene104Codec(), seed, sorted, Terms.KEPT);
      write(ordinals, codec(round), seed, sorted, round % 4 < 2 ? Terms.OMITTED : Terms.KEPT);
      same(plain, ordinals, seed, ValuesTerms.class);
      for (String file : ordinals.listAll()) {
        assertFalse(file.endsWith(".tmp"), file);
      }
      forceMerge(plain, new Lucene104Codec(), sorted);
      forceMerge(ordinals, new Lucene104Codec(), sorted);
      same(plain, ordinals, seed, org.apache.lucene.index.Terms.class);
      try (DirectoryReader back = DirectoryReader.open(ordinals)) {
        assertFalse(back.leaves().get(0).reader().terms("level") instanceof ValuesTerms);
      }
    }
  }

  private static void forceMerge(Directory directory, Codec codec, boolean sorted)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(codec);
    if (sorted) {
      config.setIndexSort(new Sort(new SortField("sort", SortField.Type.STRING)));
    }
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      // one more segment, so that a single one is written anew too
      writer.addDocument(new Document());
      writer.commit();
      writer.forceMerge(1);
    }
  }
}
