package io.millrace.write.lateinversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/**
 * The same operations on an index whose terms are inverted by Lucene and on one whose terms are
 * gathered: the same terms, the same documents, the same files to the byte in length.
 */
class LateInversionFuzz {
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 15);
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261125L);
  private static final String[] FIELDS = {"message", "body"};

  private final ThreadLocal<TermWriter> writers = ThreadLocal.withInitial(TermWriter::new);
  private final BytesRef placeholder = new BytesRef();

  /** One index of each kind, and what is done to both. */
  private final class Twins implements AutoCloseable {
    final Directory lucenes = new ByteBuffersDirectory();
    final Directory ours = new ByteBuffersDirectory();
    final LateSegments segments;
    private final IndexWriter[] both;

    Twins(Random random, boolean merges, boolean sorted) throws IOException {
      Codec late = LateCodec.over(Codec.getDefault());
      LateSegments known = LateCodec.of(late);
      assertTrue(known != null);
      segments = known;
      int flush = 2 + random.nextInt(60);
      boolean compound = random.nextBoolean();
      both =
          new IndexWriter[] {
            writer(lucenes, Codec.getDefault(), flush, merges, sorted, compound),
            writer(ours, late, flush, merges, sorted, compound)
          };
    }

    private IndexWriter writer(
        Directory to, Codec codec, int flush, boolean merges, boolean sorted, boolean compound)
        throws IOException {
      IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
      config.setCodec(codec);
      config.setRAMBufferSizeMB(256);
      config.setMaxBufferedDocs(flush);
      config.setUseCompoundFile(compound);
      config.setMergePolicy(merges ? new LogDocMergePolicy() : NoMergePolicy.INSTANCE);
      config.setMergeScheduler(new SerialMergeScheduler());
      if (sorted) {
        config.setIndexSort(new Sort(new SortField("order", SortField.Type.LONG)));
      }
      return new IndexWriter(to, config);
    }

    void add(String id, long order, Map<String, List<List<String>>> values, boolean update)
        throws IOException {
      for (IndexWriter writer : both) {
        Document document = document(id, order, values, writer == both[1] ? segments : null);
        if (update) {
          writer.updateDocument(new Term("id", id), document);
        } else {
          writer.addDocument(document);
        }
      }
    }

    /** Lucene refuses the document after it has taken some of its fields. */
    void fail(String id, Map<String, List<List<String>>> values, boolean first) {
      for (IndexWriter writer : both) {
        Document document = new Document();
        Field immense = new StringField("immense", "x".repeat(40_000), Field.Store.NO);
        if (first) {
          document.add(immense);
        }
        document(id, 0, values, writer == both[1] ? segments : null).forEach(document::add);
        document.add(immense);
        assertThrows(IllegalArgumentException.class, () -> writer.addDocument(document));
      }
    }

    void each(Step step) throws IOException {
      for (IndexWriter writer : both) {
        step.run(writer);
      }
    }

    @Override
    public void close() throws IOException {
      for (IndexWriter writer : both) {
        writer.close();
      }
      for (Directory directory : List.of(lucenes, ours)) {
        try (CheckIndex check = new CheckIndex(directory)) {
          check.setLevel(CheckIndex.Level.MAX_VALUE);
          assertTrue(check.checkIndex().clean);
        }
      }
    }
  }

  private interface Step {
    void run(IndexWriter writer) throws IOException;
  }

  private Document document(
      String id, long order, Map<String, List<List<String>>> fields, LateSegments late) {
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    document.add(new NumericDocValuesField("order", order));
    document.add(new StoredField("bytes", new BytesRef(id)));
    fields.forEach((field, values) -> {
      for (List<String> terms : values) {
        GivenTerms value = new GivenTerms(field, terms);
        if (late == null) {
          document.add(value);
        } else {
          late.late(field);
          document.add(new LateValue(value, placeholder, writers));
        }
      }
    });
    return document;
  }

  private static String term(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> "";
      case 1 -> "a".repeat(random.nextInt(4)) + "\0".repeat(random.nextInt(4));
      case 2 -> "sameheads" + random.nextInt(500);
      case 3 -> "samehead" + "\0".repeat(random.nextInt(3));
      case 4 -> Integer.toString(random.nextInt(20));
      case 5 -> Long.toHexString(random.nextLong());
      case 6 -> "\uD83D\uDE00\u00FF".substring(0, 2 + random.nextInt(2)) + random.nextInt(9);
      case 7 -> "t".repeat(1 + random.nextInt(4_000));
      default -> "word" + random.nextInt(10_000);
    };
  }

  private static Map<String, List<List<String>>> values(Random random) {
    Map<String, List<List<String>>> fields = new TreeMap<>();
    for (String field : FIELDS) {
      int count = Math.max(0, random.nextInt(5) - 1);
      for (int i = 0; i < count; i++) {
        List<String> terms = new ArrayList<>();
        int length = random.nextInt(50) == 0 ? 1 + random.nextInt(30_000) : 1 + random.nextInt(30);
        String again = term(random);
        for (int k = 0; k < length; k++) {
          terms.add(random.nextInt(5) == 0 ? again : length > 30 ? "n" + k % 7_000 : term(random));
        }
        fields.computeIfAbsent(field, f -> new ArrayList<>()).add(terms);
      }
    }
    return fields;
  }

  @Test
  void sameTermsAndDocuments() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      boolean merges = random.nextBoolean();
      boolean sorted = random.nextInt(3) == 0;
      try (Twins twins = new Twins(random, merges, sorted)) {
        int documents = 1 + random.nextInt(300);
        for (int i = 0; i < documents; i++) {
          String id = "" + random.nextInt(merges ? documents : Integer.MAX_VALUE);
          Map<String, List<List<String>>> values = values(random);
          switch (random.nextInt(40)) {
            case 0 -> twins.fail(id, values, random.nextBoolean());
            case 1 -> twins.each(writer -> writer.deleteDocuments(new Term("id", id)));
            case 2 -> twins.each(IndexWriter::commit);
            case 3 -> twins.each(writer -> DirectoryReader.open(writer).close());
            default -> twins.add(id, random.nextInt(1000), values, random.nextBoolean());
          }
        }
        twins.each(IndexWriter::commit);
        compare(twins, "round " + round);
        if (random.nextBoolean()) {
          twins.each(writer -> writer.forceMerge(1));
          twins.each(IndexWriter::commit);
          compare(twins, "merged, round " + round);
        }
      }
    }
  }

  /** What came before a roll back is gone, and a segment that is given up leaves nothing. */
  @Test
  void aSegmentThatIsGivenUp() throws IOException {
    Random random = new Random(SEED);
    Twins twins = new Twins(random, false, false);
    twins.add("1", 1, Map.of("message", List.of(List.of("kept"))), false);
    twins.each(IndexWriter::commit);
    twins.add("2", 2, Map.of("message", List.of(List.of("lost"))), false);
    twins.each(IndexWriter::rollback);
    compare(twins, "rolled back");
    twins.close();
  }

  private static void compare(Twins twins, String when) throws IOException {
    try (DirectoryReader lucenes = DirectoryReader.open(twins.lucenes);
        DirectoryReader ours = DirectoryReader.open(twins.ours)) {
      assertEquals(lucenes.leaves().size(), ours.leaves().size(), when);
      for (int i = 0; i < lucenes.leaves().size(); i++) {
        for (String field : FIELDS) {
          assertEquals(
              postings(lucenes.leaves().get(i), field),
              postings(ours.leaves().get(i), field),
              when);
        }
        assertEquals(stored(lucenes.leaves().get(i)), stored(ours.leaves().get(i)), when);
      }
    }
    assertEquals(lengths(twins.lucenes), lengths(twins.ours), when);
  }

  private static List<String> postings(LeafReaderContext leaf, String field) throws IOException {
    List<String> out = new ArrayList<>();
    Terms terms = leaf.reader().terms(field);
    if (terms == null) {
      return out;
    }
    out.add(terms.size() + " " + terms.getDocCount() + " " + terms.getSumDocFreq());
    TermsEnum each = terms.iterator();
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      StringBuilder line = new StringBuilder(term.toString()).append(each.docFreq());
      PostingsEnum postings = each.postings(null, PostingsEnum.NONE);
      while (postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        line.append(' ').append(postings.docID());
      }
      out.add(line.toString());
    }
    return out;
  }

  private static List<String> stored(LeafReaderContext leaf) throws IOException {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < leaf.reader().maxDoc(); i++) {
      out.add(leaf.reader().storedFields().document(i).toString());
    }
    return out;
  }

  /** Of every file, by name. */
  private static TreeSet<String> lengths(Directory directory) throws IOException {
    TreeSet<String> out = new TreeSet<>();
    for (String file : directory.listAll()) {
      out.add(file + " " + directory.fileLength(file));
    }
    return out;
  }

  @Test
  void orderOfHostileTerms() throws IOException {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      SegmentTerms segment = new SegmentTerms();
      TreeMap<BytesRef, TreeSet<Integer>> expected = new TreeMap<>();
      for (int document = 0; document < 50; document++) {
        List<String> terms = new ArrayList<>();
        for (int i = random.nextInt(100); i > 0; i--) {
          terms.add(term(random));
        }
        segment.add("f", document, new TermWriter().write(new GivenTerms("f", terms)));
        for (String term : terms) {
          expected
              .computeIfAbsent(
                  new BytesRef(term.getBytes(StandardCharsets.UTF_8)), t -> new TreeSet<>())
              .add(document);
        }
      }
      SortedTerms sorted = segment.sorted("f");
      assertTrue(sorted != null && segment.isEmpty());
      assertEquals(expected.size(), sorted.size());
      TermsEnum each = sorted.iterator();
      for (Map.Entry<BytesRef, TreeSet<Integer>> entry : expected.entrySet()) {
        assertEquals(entry.getKey(), each.next());
        assertEquals(entry.getValue().size(), each.docFreq());
        PostingsEnum postings = each.postings(null, PostingsEnum.NONE);
        for (int document : entry.getValue()) {
          assertEquals(document, postings.nextDoc());
        }
        assertEquals(DocIdSetIterator.NO_MORE_DOCS, postings.nextDoc());
      }
      assertEquals(null, each.next());
    }
  }
}
