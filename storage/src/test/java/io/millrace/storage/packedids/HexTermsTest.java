package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class HexTermsTest {
  @Test
  void widths() {
    assertEquals(16, HexTerms.width(new BytesRef("0123456789abcdef")));
    assertEquals(128, HexTerms.width(new BytesRef("f".repeat(128))));
    for (String odd :
        new String[] {
          "",
          "0123456789abcde",
          "0123456789abcdef0",
          "0123456789abcd",
          "f".repeat(130),
          "0123456789ABCDEF",
          "0123456789abcdeg",
          "0123456789abcde/",
          "0123456789abcde:",
          "0123456789abcde`",
          "01234567-9abcdef",
          "0123456789abcdé"
        }) {
      assertEquals(0, HexTerms.width(new BytesRef(odd)), odd);
    }
  }

  @Test
  void packsAndUnpacks() throws Exception {
    BytesRef term = new BytesRef("xx00ff0123456789abcdefxx");
    term.offset = 2;
    term.length = 20;
    byte[] packed = new byte[10];
    assertTrue(HexTerms.pack(term, 20, packed));
    byte[] text = new byte[20];
    HexTerms.unpack(new BytesRef(packed), 20, text);
    assertEquals("00ff0123456789abcdef", new BytesRef(text).utf8ToString());
    assertFalse(HexTerms.pack(new BytesRef("00ff0123456789abcdeg"), 20, packed));
    assertFalse(HexTerms.pack(new BytesRef("00ff"), 20, packed));
    assertThrows(
        CorruptIndexException.class, () -> HexTerms.unpack(new BytesRef(packed), 22, new byte[22]));
  }

  @Test
  void everyWidthThereAndBack() throws Exception {
    Random random = new Random(3);
    for (int width = HexTerms.MIN_WIDTH; width <= HexTerms.MAX_WIDTH; width += 2) {
      for (int round = 0; round < 50; round++) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < width; i++) {
          text.append(Character.forDigit(random.nextInt(16), 16));
        }
        BytesRef packed = new BytesRef(new byte[width / 2 + 3], 3, width / 2);
        byte[] pack = new byte[width / 2];
        assertTrue(HexTerms.pack(new BytesRef(text), width, pack));
        System.arraycopy(pack, 0, packed.bytes, 3, pack.length);
        byte[] back = new byte[width];
        HexTerms.unpack(packed, width, back);
        assertEquals(text.toString(), new BytesRef(back).utf8ToString());
      }
    }
  }

  /** Against the same question to a sorted set of the terms as text, with hostile targets. */
  @Test
  void ceilingIsTheSmallestTermNotBelow() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 200_000; round++) {
      int width = 16;
      byte[] target = new byte[random.nextInt(20)];
      for (int i = 0; i < target.length; i++) {
        target[i] =
            random.nextInt(12) == 0
                ? (byte) random.nextInt(256)
                : (byte) "0123456789abcdefffffff".charAt(random.nextInt(22));
      }
      BytesRef asked = new BytesRef(target);
      byte[] packed = new byte[8];
      boolean found = HexTerms.ceiling(asked, width, packed);
      BytesRef top = new BytesRef("f".repeat(16));
      assertEquals(asked.compareTo(top) <= 0, found, asked.toString());
      if (!found) {
        continue;
      }
      byte[] text = new byte[16];
      HexTerms.unpack(new BytesRef(packed), 16, text);
      BytesRef ceiling = new BytesRef(text);
      assertTrue(ceiling.compareTo(asked) >= 0, asked + " > " + ceiling);
      long value = Long.parseUnsignedLong(ceiling.utf8ToString(), 16);
      if (value != 0) {
        BytesRef before = new BytesRef(String.format("%016x", value - 1));
        assertTrue(before.compareTo(asked) < 0, asked + " <= " + before + " < " + ceiling);
      }
    }
  }
}
