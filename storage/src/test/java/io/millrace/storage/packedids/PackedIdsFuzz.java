package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.index.TermsEnum.SeekStatus;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same operations on two indices, one packed: every term, seek, automaton, ordinal and document
 * must be the same in every segment, after flushes, deletions, merges and with an index sort.
 *
 * <p>{@code -Dmillrace.fuzz.seed=} moves all seeds.
 */
class PackedIdsFuzz {
  private static final String HEX = "0123456789abcdef";
  private static final List<String> FIELDS = List.of("trace", "span", "sometimes", "word", "_hex");

  private static String hex(Random random, int length) {
    StringBuilder text = new StringBuilder();
    // few leading digits, so that terms share prefixes and prefixes find several
    for (int i = 0; i < length; i++) {
      text.append(HEX.charAt(random.nextInt(i < 3 ? 4 : 16)));
    }
    return text.toString();
  }

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
      String span = hex(random, 16);
      document.add(new StringField("span", span, Store.NO));
      document.add(new SortedDocValuesField("span", new BytesRef(span)));
      document.add(new StringField("_hex", span, Store.NO));
      document.add(new SortedDocValuesField("_hex", new BytesRef(span)));
    }
    String sometimes = odd && random.nextInt(30) == 0 ? "-" : hex(random, 20);
    document.add(new StringField("sometimes", sometimes, Store.NO));
    document.add(new SortedSetDocValuesField("sometimes", new BytesRef(sometimes)));
    String word = hex(random, random.nextInt(5));
    document.add(new StringField("word", word, Store.NO));
    document.add(new SortedSetDocValuesField("word", new BytesRef(word)));
    return document;
  }

  private static void write(Directory directory, Codec codec, long seed, boolean sorted)
      throws IOException {
    Random random = new Random(seed);
    List<String> pool = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      pool.add(hex(random, 32));
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
            sameTerms(expected.terms(field), actual.terms(field), new Random(seed + i));
            sameValues(expected, actual, field, new Random(seed + i));
            packedFields += actual.terms(field) instanceof PackedTerms ? 1 : 0;
          }
          assertTrue(actual.terms("span") instanceof PackedTerms);
          assertTrue(!(actual.terms("_hex") instanceof PackedTerms));
        }
        assertTrue(packedFields >= 2 * other.leaves().size(), "packed " + packedFields);
      }
    }
  }

  private static List<BytesRef> all(TermsEnum terms) throws IOException {
    List<BytesRef> all = new ArrayList<>();
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      assertEquals(term, terms.term());
      all.add(BytesRef.deepCopyOf(term));
    }
    return all;
  }

  private static BytesRef target(Random random, List<BytesRef> terms) {
    BytesRef term = BytesRef.deepCopyOf(terms.get(random.nextInt(terms.size())));
    switch (random.nextInt(6)) {
      case 0 -> {
        return term;
      }
      case 1 -> term.length = random.nextInt(term.length + 1);
      case 2 -> {
        byte[] longer = new byte[term.length + 1 + random.nextInt(3)];
        System.arraycopy(term.bytes, 0, longer, 0, term.length);
        return new BytesRef(longer);
      }
      case 3 -> {
        byte[] any = new byte[random.nextInt(40)];
        random.nextBytes(any);
        return new BytesRef(any);
      }
      case 4 -> {
        return new BytesRef(hex(random, term.length));
      }
      default -> {
        if (term.length > 0) {
          term.bytes[random.nextInt(term.length)] = (byte) random.nextInt(256);
        }
      }
    }
    return term;
  }

  private static void samePlace(TermsEnum expected, TermsEnum actual) throws IOException {
    assertEquals(expected.term(), actual.term());
    assertEquals(expected.docFreq(), actual.docFreq());
    assertEquals(expected.totalTermFreq(), actual.totalTermFreq());
    PostingsEnum one = expected.postings(null, PostingsEnum.NONE);
    PostingsEnum other = actual.postings(null, PostingsEnum.NONE);
    int doc;
    do {
      doc = one.nextDoc();
      assertEquals(doc, other.nextDoc());
    } while (doc != DocIdSetIterator.NO_MORE_DOCS);
  }

  private static void sameTerms(Terms expected, Terms actual, Random random) throws IOException {
    if (expected == null) {
      assertNull(actual);
      return;
    }
    assertEquals(expected.size(), actual.size());
    assertEquals(expected.getDocCount(), actual.getDocCount());
    assertEquals(expected.getSumDocFreq(), actual.getSumDocFreq());
    assertEquals(expected.getSumTotalTermFreq(), actual.getSumTotalTermFreq());
    assertEquals(expected.hasFreqs(), actual.hasFreqs());
    assertEquals(expected.getMin(), actual.getMin());
    assertEquals(expected.getMax(), actual.getMax());
    List<BytesRef> terms = all(expected.iterator());
    assertEquals(terms, all(actual.iterator()));
    TermsEnum one = expected.iterator();
    TermsEnum other = actual.iterator();
    for (int i = 0; i < 300; i++) {
      BytesRef target = target(random, terms);
      if (random.nextBoolean()) {
        SeekStatus status = one.seekCeil(target);
        assertEquals(status, other.seekCeil(target), target.toString());
        if (status == SeekStatus.END) {
          continue;
        }
      } else if (random.nextBoolean()) {
        boolean found = one.seekExact(target);
        assertEquals(found, other.seekExact(target));
        if (!found) {
          continue;
        }
      } else {
        IOBooleanSupplier asked = other.prepareSeekExact(target);
        boolean found = one.seekExact(target);
        assertEquals(found, asked != null && asked.get());
        if (!found) {
          continue;
        }
      }
      samePlace(one, other);
      if (random.nextBoolean()) {
        TermsEnum third = actual.iterator();
        third.seekExact(BytesRef.deepCopyOf(other.term()), other.termState());
        samePlace(one, third);
      }
      for (int next = random.nextInt(3); next > 0; next--) {
        BytesRef term = one.next();
        assertEquals(term, other.next());
        if (term == null) {
          break;
        }
        samePlace(one, other);
      }
    }
    for (int i = 0; i < 40; i++) {
      CompiledAutomaton compiled = automaton(random, terms);
      assertEquals(all(compiled.getTermsEnum(expected)), all(compiled.getTermsEnum(actual)));
      if (compiled.type == CompiledAutomaton.AUTOMATON_TYPE.NORMAL) {
        List<BytesRef> matching = all(expected.intersect(compiled, null));
        assertEquals(matching, all(actual.intersect(compiled, null)));
        if (!matching.isEmpty()) {
          BytesRef start = matching.get(random.nextInt(matching.size()));
          assertEquals(
              all(expected.intersect(compiled, start)), all(actual.intersect(compiled, start)));
        }
      }
    }
  }

  private static CompiledAutomaton automaton(Random random, List<BytesRef> terms) {
    String term = terms.get(random.nextInt(terms.size())).utf8ToString();
    String prefix = term.substring(0, random.nextInt(term.length() + 1));
    return switch (random.nextInt(5)) {
      case 0 -> regexp(prefix + ".*");
      case 1 -> regexp(prefix + "[0-9x-z].*");
      case 2 -> regexp(".*" + HEX.charAt(random.nextInt(16)) + HEX.charAt(random.nextInt(16)));
      case 3 -> {
        TreeSet<BytesRef> some = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
          some.add(target(random, terms));
        }
        Automaton union = Automata.makeBinaryStringUnion(some);
        yield new CompiledAutomaton(union, true, true, true);
      }
      default -> {
        BytesRef low = target(random, terms);
        BytesRef high = target(random, terms);
        boolean swap = low.compareTo(high) > 0;
        Automaton range =
            Automata.makeBinaryInterval(
                swap ? high : low, random.nextBoolean(), swap ? low : high, random.nextBoolean());
        yield new CompiledAutomaton(range, false, true, true);
      }
    };
  }

  private static CompiledAutomaton regexp(String text) {
    return new CompiledAutomaton(
        Operations.determinize(new RegExp(text).toAutomaton(), 10_000), false, true);
  }

  private static void sameValues(
      LeafReader expected, LeafReader actual, String field, Random random) throws IOException {
    SortedSetDocValues one = DocValues.getSortedSet(expected, field);
    SortedSetDocValues other = DocValues.getSortedSet(actual, field);
    SortedDocValues single = DocValues.unwrapSingleton(one);
    SortedDocValues otherSingle = DocValues.unwrapSingleton(other);
    assertEquals(single == null, otherSingle == null);
    assertEquals(one.getValueCount(), other.getValueCount());
    if (one.getValueCount() == 0) {
      return;
    }
    List<BytesRef> terms = all(one.termsEnum());
    assertEquals(terms, all(other.termsEnum()));
    TermsEnum oneEnum = one.termsEnum();
    TermsEnum otherEnum = other.termsEnum();
    for (int i = 0; i < 300; i++) {
      BytesRef target = target(random, terms);
      long ord = one.lookupTerm(target);
      assertEquals(ord, other.lookupTerm(target), target.toString());
      if (single != null && otherSingle != null) {
        assertEquals(single.lookupTerm(target), otherSingle.lookupTerm(target));
      }
      SeekStatus status = oneEnum.seekCeil(target);
      assertEquals(status, otherEnum.seekCeil(target));
      if (status != SeekStatus.END) {
        assertEquals(oneEnum.ord(), otherEnum.ord());
        assertEquals(oneEnum.term(), otherEnum.term());
      }
      int any = random.nextInt(terms.size());
      assertEquals(terms.get(any), other.lookupOrd(any));
      otherEnum.seekExact((long) any);
      assertEquals(terms.get(any), otherEnum.term());
    }
    for (int i = 0; i < 20; i++) {
      CompiledAutomaton compiled = automaton(random, terms);
      assertEquals(all(one.intersect(compiled)), all(other.intersect(compiled)));
    }
    int doc;
    do {
      doc = one.nextDoc();
      assertEquals(doc, other.nextDoc());
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        assertEquals(one.docValueCount(), other.docValueCount());
        for (int i = one.docValueCount(); i > 0; i--) {
          assertEquals(one.nextOrd(), other.nextOrd());
        }
      }
    } while (doc != DocIdSetIterator.NO_MORE_DOCS);
    SortedSetDocValues again = DocValues.getSortedSet(expected, field);
    SortedSetDocValues otherAgain = DocValues.getSortedSet(actual, field);
    for (int target = 0; target < expected.maxDoc(); target += 1 + random.nextInt(5)) {
      assertEquals(again.advanceExact(target), otherAgain.advanceExact(target));
    }
  }
}
