package io.millrace.write.keywordtruncation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class TermsTest {

  @Test
  void shortValuesAreTheSameObject() {
    BytesRef value = new BytesRef("a".repeat(Terms.MAX_BYTES));
    assertSame(value, Terms.truncate(value));
  }

  @Test
  void longestWholeCharacters() {
    assertEquals(32_766, Terms.MAX_BYTES);
    for (String character : List.of("a", "é", "漢", "\uD83D\uDE00")) {
      int width = new BytesRef(character).length;
      for (int shift = 0; shift < 5; shift++) {
        BytesRef whole = new BytesRef("x".repeat(shift) + character.repeat(33_000));
        BytesRef cut = Terms.truncate(whole);
        assertEquals(shift + (Terms.MAX_BYTES - shift) / width * width, cut.length);
        assertTrue(whole.utf8ToString().startsWith(cut.utf8ToString()));
      }
    }
  }

  @Test
  void respectsTheOffsetAndSharesTheBytes() {
    byte[] bytes = new byte[40_000];
    bytes[7 + Terms.MAX_BYTES] = (byte) 0x80;
    BytesRef cut = Terms.truncate(new BytesRef(bytes, 7, 39_000));
    assertSame(bytes, cut.bytes);
    assertEquals(7, cut.offset);
    assertEquals(Terms.MAX_BYTES - 1, cut.length);
  }

  @Test
  void bytesThatAreNoTextLoseAtMostThree() {
    Random random = new Random(5);
    byte[] bytes = new byte[40_000];
    for (int round = 0; round < 100; round++) {
      random.nextBytes(bytes);
      int length = Terms.truncate(new BytesRef(bytes)).length;
      assertTrue(length <= Terms.MAX_BYTES && length >= Terms.MAX_BYTES - 3);
    }
  }
}
