package io.millrace.write.lateinversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class SortedTermsTest {
  private static final byte[] ALPHABET = {0, 1, 'a', 'b', (byte) 0xFF};

  @Test
  void termsThatDifferInZerosOrBehindTheHeadAreTermsOfTheirOwn() throws Exception {
    SegmentTerms terms = new SegmentTerms();
    Map<BytesRef, TreeSet<Integer>> expected = new TreeMap<>();
    String[] texts = {
      "", "\0", "\0\0", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh\0", "abcdef", "abcdef\0"
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
      int longest = 1 + random.nextInt(12);
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
