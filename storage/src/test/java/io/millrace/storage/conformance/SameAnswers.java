package io.millrace.storage.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.index.TermsEnum.SeekStatus;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

/**
 * Compares what two segments of the same documents answer at Lucene's interfaces: terms,
 * statistics, hostile seeks, term states, automata, postings, ordinals and values.
 */
public final class SameAnswers {
  private static final String HEX = "0123456789abcdef";

  private SameAnswers() {}

  /** Digits of which the first few repeat, so that terms share prefixes. */
  public static String hex(Random random, int length) {
    StringBuilder text = new StringBuilder();
    // few leading digits, so that terms share prefixes and prefixes find several
    for (int i = 0; i < length; i++) {
      text.append(HEX.charAt(random.nextInt(i < 3 ? 4 : 16)));
    }
    return text.toString();
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

  private static void samePlace(TermsEnum expected, TermsEnum actual, Random random)
      throws IOException {
    assertEquals(expected.term(), actual.term());
    assertEquals(expected.docFreq(), actual.docFreq());
    assertEquals(expected.totalTermFreq(), actual.totalTermFreq());
    PostingsEnum one = expected.postings(null, PostingsEnum.NONE);
    PostingsEnum other = actual.postings(null, PostingsEnum.NONE);
    assertEquals(one.cost(), other.cost());
    int doc = -1;
    do {
      int target = doc + 1 + random.nextInt(1 << random.nextInt(8));
      boolean advances = random.nextInt(3) == 0;
      doc = advances ? one.advance(target) : one.nextDoc();
      assertEquals(doc, advances ? other.advance(target) : other.nextDoc());
      assertEquals(doc, other.docID());
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        assertEquals(one.freq(), other.freq());
      }
    } while (doc != DocIdSetIterator.NO_MORE_DOCS);
  }

  /** All that can be asked of a field's terms; both null, or both the same. */
  public static void terms(Terms expected, Terms actual, Random random) throws IOException {
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
      samePlace(one, other, random);
      if (random.nextBoolean()) {
        TermsEnum third = actual.iterator();
        third.seekExact(BytesRef.deepCopyOf(other.term()), other.termState());
        samePlace(one, third, random);
      }
      for (int next = random.nextInt(3); next > 0; next--) {
        BytesRef term = one.next();
        assertEquals(term, other.next());
        if (term == null) {
          break;
        }
        samePlace(one, other, random);
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

  /** All that can be asked of a field's sorted or sorted set doc values. */
  public static void values(LeafReader expected, LeafReader actual, String field, Random random)
      throws IOException {
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
