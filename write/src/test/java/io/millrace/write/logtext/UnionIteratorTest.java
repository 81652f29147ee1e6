package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.junit.jupiter.api.Test;

/** However a union is walked, it gives the documents of its parts in order. */
class UnionIteratorTest {
  private static final int MAX_DOC = 100_000;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private FixedBitSet documents() {
    FixedBitSet bits = new FixedBitSet(MAX_DOC);
    int from = random.nextInt(MAX_DOC);
    int range = 1 + random.nextInt(MAX_DOC - from);
    for (int n = 1 << random.nextInt(14); n > 0; n--) {
      bits.set(from + random.nextInt(range));
    }
    return bits;
  }

  @Test
  void everyWalkGivesTheUnion() throws IOException {
    for (int round = 0; round < 200; round++) {
      FixedBitSet union = new FixedBitSet(MAX_DOC);
      List<DocIdSetIterator> parts = new ArrayList<>();
      for (int n = random.nextInt(6); n >= 0; n--) {
        FixedBitSet part = documents();
        union.or(part);
        parts.add(new BitSetIterator(part, part.cardinality()));
      }
      long leadCost = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(2_000);
      DocIdSetIterator walked = UnionIterator.of(parts, leadCost);
      String about = "round " + round + " of seed " + seed;
      int kind = random.nextInt(4);
      int doc = -1;
      while (doc != DocIdSetIterator.NO_MORE_DOCS) {
        int way = kind == 3 ? random.nextInt(3) : kind;
        if (doc == -1 || way == 0) {
          int expected = next(union, doc + 1);
          assertEquals(expected, walked.nextDoc(), about);
          doc = expected;
        } else if (way == 1) {
          int target = doc + 1 + random.nextInt(random.nextBoolean() ? 10 : 40_000);
          int expected = next(union, target);
          assertEquals(expected, walked.advance(target), about);
          doc = expected;
        } else {
          int upTo = doc + random.nextInt(random.nextBoolean() ? 100 : 30_000);
          int offset = doc - random.nextInt(Math.min(doc + 1, 50));
          FixedBitSet found = new FixedBitSet(upTo - offset + 64);
          walked.intoBitSet(upTo, found, offset);
          for (int at = doc; at < upTo; at++) {
            boolean there = at < MAX_DOC && union.get(at);
            assertEquals(there, found.get(at - offset), about);
          }
          int expected = upTo <= doc ? doc : next(union, upTo);
          assertEquals(expected, walked.docID(), about);
          doc = expected;
        }
        assertEquals(doc, walked.docID(), about);
      }
    }
  }

  private static int next(FixedBitSet bits, int from) {
    return from >= MAX_DOC ? DocIdSetIterator.NO_MORE_DOCS : bits.nextSetBit(from);
  }

  @Test
  void nothingAndOnePartNeedNoUnion() throws IOException {
    assertEquals(DocIdSetIterator.NO_MORE_DOCS, UnionIterator.of(List.of(), 1).nextDoc());
    DocIdSetIterator one = DocIdSetIterator.all(3);
    assertEquals(one, UnionIterator.of(List.of(one), 1));
  }
}
