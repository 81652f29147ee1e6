package io.millrace.write.lateinversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.apache.lucene.util.Counter;
import org.junit.jupiter.api.Test;

class SortedTermsTest {
  private static final byte[] ALPHABET = {0, 1, 'a', 'b', (byte) 0xFF};

  @Test
  void termsThatDifferInZerosOrBehindTheHeadAreTermsOfTheirOwn() throws Exception {
    SegmentTerms terms = new SegmentTerms();
    Map<BytesRef, TreeSet<Integer>> expected = new TreeMap<>();
    String[] texts = {
      "",
      "\0",
      "\0\0",
      "abcdefg",
      "abcdefg\0",
      "abcdefgh",
      "abcdefgh\0",
      "abcdef",
      "abcdef\0",
      "abcdefghijklmn",
      "abcdefghijklmn\0",
      "abcdefghijklmno",
      "abcdefghijklmno\0",
      "abcdefghijklmnop",
      "\0".repeat(14),
      "\0".repeat(15),
      "\0".repeat(16),
      "\0".repeat(17)
    };
    for (int document = 0; document < texts.length; document++) {
      add(terms, expected, document, new BytesRef(texts[document]));
    }
    assertSame(expected, terms);
  }

  @Test
  void randomTermsHaveTheDocumentsOfAModel() throws Exception {
    Random random = new Random(13);
    for (int round = 0; round < 30; round++) {
      SegmentTerms terms = new SegmentTerms();
      Map<BytesRef, TreeSet<Integer>> expected = new TreeMap<>();
      int longest = 1 + random.nextInt(20);
      int document = random.nextInt(3);
      for (int i = 0; i < 2000; i++) {
        byte[] text = new byte[random.nextInt(longest + 1)];
        for (int k = 0; k < text.length; k++) {
          text[k] = ALPHABET[random.nextInt(random.nextBoolean() ? 2 : ALPHABET.length)];
        }
        add(terms, expected, document, new BytesRef(text));
        document += random.nextInt(3);
      }
      assertSame(expected, terms);
    }
  }

  /** Each length, with bytes behind the value and without any, is one term and one number. */
  @Test
  void whatStandsBehindAValueMakesNoOtherTerm() {
    Random random = new Random(15);
    for (int length = 0; length <= 70; length++) {
      FieldTerms field =
          new FieldTerms(
              new BytesRefBlockPool(
                  new ByteBlockPool(
                      new ByteBlockPool.DirectTrackingAllocator(Counter.newCounter()))));
      byte[] text = new byte[length];
      random.nextBytes(text);
      for (int behind = 0; behind <= 20; behind++) {
        byte[] written = new byte[3 + Short.BYTES + length + behind];
        random.nextBytes(written);
        written[3] = 0;
        written[4] = (byte) length;
        System.arraycopy(text, 0, written, 5, length);
        field.add(behind, new BytesRef(written, 3, Short.BYTES + length));
        assertEquals(1, field.terms, () -> length(text));
        assertEquals(0, field.numbers[behind]);
      }
      for (int changed = 0; changed < length; changed++) {
        byte[] written = new byte[Short.BYTES + length + 20];
        written[1] = (byte) length;
        System.arraycopy(text, 0, written, 2, length);
        written[2 + changed] ^= (byte) (1 << random.nextInt(8));
        field.add(21 + changed, new BytesRef(written, 0, Short.BYTES + length));
        assertEquals(2 + changed, field.terms, () -> length(text));
      }
    }
  }

  private static String length(byte[] text) {
    return "of " + text.length + " bytes";
  }

  /** What a field says that it holds is what its arrays take, however far it has grown. */
  @Test
  void heapIsThatOfTheArrays() {
    FieldTerms field =
        new FieldTerms(
            new BytesRefBlockPool(
                new ByteBlockPool(
                    new ByteBlockPool.DirectTrackingAllocator(Counter.newCounter()))));
    byte[] written = new byte[Short.BYTES + Integer.BYTES];
    written[1] = Integer.BYTES;
    for (int i = 0; i < 40_000; i++) {
      ByteBuffer.wrap(written).putInt(Short.BYTES, i);
      field.add(i, new BytesRef(written));
      int slots = 64;
      while (slots < Math.min(field.terms, 1 << 14) || field.terms == slots && slots < 1 << 14) {
        slots *= 4;
      }
      assertEquals(
          4L
                  * (field.texts.length
                      + field.numbers.length
                      + field.documents.length
                      + field.ends.length
                      + 32)
              + 20L * slots,
          field.ramBytesUsed());
    }
    assertEquals(40_000, field.terms);
  }

  @Test
  void aFieldWithoutTermsHasNone() {
    assertNull(new SegmentTerms().sorted("f"));
  }

  private static void add(
      SegmentTerms terms, Map<BytesRef, TreeSet<Integer>> expected, int document, BytesRef text) {
    byte[] written = new byte[text.length + Short.BYTES];
    written[1] = (byte) text.length;
    System.arraycopy(text.bytes, text.offset, written, Short.BYTES, text.length);
    terms.add("f", document, new BytesRef(written));
    expected.computeIfAbsent(text, key -> new TreeSet<>()).add(document);
  }

  private static void assertSame(Map<BytesRef, TreeSet<Integer>> expected, SegmentTerms terms)
      throws Exception {
    SortedTerms sorted = terms.sorted("f");
    assertNotNull(sorted);
    assertEquals(expected.size(), sorted.size());
    TreeSet<Integer> all = new TreeSet<>();
    expected.values().forEach(all::addAll);
    assertEquals(all.size(), sorted.getDocCount());
    long postings = 0;
    TermsEnum found = sorted.iterator();
    PostingsEnum documents = null;
    for (Map.Entry<BytesRef, TreeSet<Integer>> entry : expected.entrySet()) {
      assertEquals(entry.getKey(), found.next());
      assertEquals(entry.getValue().size(), found.docFreq(), () -> "of " + entry.getKey());
      documents = found.postings(documents, PostingsEnum.NONE);
      for (int document : entry.getValue()) {
        assertEquals(document, documents.nextDoc(), () -> "of " + entry.getKey());
      }
      assertEquals(PostingsEnum.NO_MORE_DOCS, documents.nextDoc());
      postings += entry.getValue().size();
    }
    assertNull(found.next());
    assertEquals(postings, sorted.getSumDocFreq());
  }
}
