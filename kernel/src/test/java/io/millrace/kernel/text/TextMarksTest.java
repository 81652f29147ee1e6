package io.millrace.kernel.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Marks are what a look at each byte for itself gives, wherever in an array a text stands. */
class TextMarksTest {
  private static final byte SOUGHT = 1;

  private final TextMarks marks = new TextMarks();

  private static boolean digit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static boolean letter(byte b) {
    return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
  }

  private static boolean hexadecimal(byte b) {
    return b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F';
  }

  private static boolean bit(long[] words, int at) {
    return (words[at >> 6] >>> at & 1) != 0;
  }

  private void check(byte[] text, int from, int end) {
    boolean found = false;
    for (int i = from; i < end; i++) {
      found |= text[i] == SOUGHT;
    }
    assertEquals(found, marks.mark(text, from, end, SOUGHT));
    int length = end - from;
    assertEquals(length, marks.length);
    for (int i = 0; i < length; i++) {
      byte b = text[from + i];
      assertEquals(digit(b) || letter(b), bit(marks.words, i));
      assertEquals(digit(b), bit(marks.digits, i));
      assertEquals(letter(b) && !hexadecimal(b), bit(marks.letters, i));
    }
    for (int i = length; i < marks.words.length << 6 && i < length + 65; i++) {
      assertEquals(false, bit(marks.words, i), "behind the text");
      assertEquals(false, bit(marks.digits, i), "behind the text");
      assertEquals(false, bit(marks.letters, i), "behind the text");
    }
  }

  private void checkPlaces(int length) {
    for (int at = 0; at <= length; at++) {
      int word = at;
      while (word < length && !bit(marks.words, word)) {
        word++;
      }
      assertEquals(word, marks.word(at));
      if (at == length) {
        break;
      }
      for (long[] kind : new long[][] {marks.words, marks.digits, marks.letters}) {
        int end = at;
        while (end < length && bit(kind, end)) {
          end++;
        }
        assertEquals(end, TextMarks.end(kind, at));
        boolean any = false;
        for (int to = at + 1; to <= length; to++) {
          any |= bit(kind, to - 1);
          assertEquals(any, TextMarks.any(kind, at, to));
        }
      }
    }
  }

  @Test
  void everyByteAtEveryPlaceOfEight() {
    for (int b = 0; b < 256; b++) {
      for (int at = 0; at < 8; at++) {
        for (char beside : new char[] {' ', 'z', '\u00ff'}) {
          byte[] text = new byte[8];
          Arrays.fill(text, (byte) beside);
          text[at] = (byte) b;
          check(text, 0, 8);
          check(text, at, at + 1);
        }
      }
    }
  }

  @Test
  void everyLengthWithAndWithoutWhatStandsAround() {
    Random random = new Random(7);
    for (int length = 0; length <= 200; length++) {
      for (String kinds :
          new String[] {"a9", "afZG09 -", "a", "9", " ", "x\u0001", "\u00e9\ud83d\ude00a1"}) {
        byte[] alphabet = kinds.getBytes(StandardCharsets.UTF_8);
        int from = random.nextInt(10);
        byte[] text = new byte[from + length + random.nextInt(10)];
        for (int i = 0; i < text.length; i++) {
          text[i] = alphabet[random.nextInt(alphabet.length)];
        }
        check(text, from, from + length);
        checkPlaces(length);
      }
    }
  }

  @Test
  void bytesOfNoEncodingAndTextsAfterLongerOnes() {
    Random random = new Random(8);
    for (int round = 0; round < 3_000; round++) {
      byte[] text = new byte[random.nextInt(round % 100 == 0 ? 20_000 : 300)];
      random.nextBytes(text);
      int from = random.nextInt(text.length + 1);
      check(text, from, from + random.nextInt(text.length - from + 1));
    }
  }
}
