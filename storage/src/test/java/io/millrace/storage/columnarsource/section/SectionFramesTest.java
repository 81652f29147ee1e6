package io.millrace.storage.columnarsource.section;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames of text, alone and with the first one of their column as dictionary. */
class SectionFramesTest {
  private static final byte[] ZSTD_DICTIONARY = {0x37, (byte) 0xA4, 0x30, (byte) 0xEC};

  private final Random random = new Random(11);

  /** A block of text whose values are read in any order. */
  private static final class Block {
    private final ByteSink plain = new ByteSink(1 << 16);
    private final List<Integer> ends = new ArrayList<>();
    private final SectionWriter out = new SectionWriter(3);
    private final ByteSink body = new ByteSink(1 << 16);

    Block value(byte[] value) {
      plain.write(value, 0, value.length);
      ends.add(plain.length);
      out.text(value, 0, value.length);
      return this;
    }

    Block value(String value) {
      return value(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends a column that began at a place of the text. */
    Block column(int start) {
      out.column(start);
      return this;
    }

    int end() {
      return out.textLength();
    }

    SectionReader open() {
      out.body(body);
      out.close();
      body.ensure(8);
      SectionReader reader = new SectionReader(new DecompressionContexts(1));
      reader.open(body.bytes, 0, body.length, null, 0);
      return reader;
    }

    /** Bytes of the body, each of whose values came back in an order of chance. */
    int read(Random random) {
      SectionReader reader = open();
      for (int i = 0; i < 2 * ends.size(); i++) {
        int number = random.nextInt(ends.size());
        int from = number == 0 ? 0 : ends.get(number - 1);
        ByteSink value = new ByteSink(16);
        reader.text(from, ends.get(number) - from, value);
        assertEquals(
            new String(plain.bytes, from, ends.get(number) - from, StandardCharsets.ISO_8859_1),
            new String(value.bytes, 0, value.length, StandardCharsets.ISO_8859_1));
      }
      return body.length;
    }
  }

  /** Alike over many kilobytes: nothing repeats within a frame, much of one frame in the next. */
  private List<String> alike(int values) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      words.add(Long.toString(random.nextLong() >>> 1, 36) + Long.toString(i, 36).repeat(9));
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      all.add(words.get(random.nextInt(words.size())) + random.nextInt(1000));
    }
    return all;
  }

  @Test
  void framesOfOneColumnLeanOnItsFirst() {
    List<String> values = alike(8_000);
    Block alone = new Block();
    Block one = new Block();
    values.forEach(alone::value);
    values.forEach(one::value);
    one.column(0);
    int without = alone.read(random);
    int with = one.read(random);
    assertTrue(with < without, with + " bytes beside " + without);
  }

  @Test
  void columnsBeginAndEndAnywhere() {
    for (int round = 0; round < 40; round++) {
      Block block = new Block();
      int columns = 1 + random.nextInt(6);
      for (int c = 0; c < columns; c++) {
        int start = block.end();
        alike(random.nextInt(4_000)).forEach(block::value);
        if (random.nextInt(4) > 0) {
          block.column(start);
        }
        if (random.nextInt(3) == 0) {
          block.value("x".repeat(random.nextInt(100_000)));
        }
      }
      block.value("end").read(random);
    }
  }

  @Test
  void aBaseThatSavesNothingIsNotTaken() {
    byte[] noise = new byte[200_000];
    random.nextBytes(noise);
    Block alone = new Block();
    Block one = new Block();
    for (int i = 0; i < noise.length; i += 100) {
      alone.value(Arrays.copyOfRange(noise, i, i + 100));
      one.value(Arrays.copyOfRange(noise, i, i + 100));
    }
    one.column(0);
    assertEquals(alone.read(random), one.read(random));
  }

  /** zstd would read it as a dictionary with tables, and fail. */
  @Test
  void textThatLooksLikeADictionaryIsNoBase() {
    Block block = new Block().value(ZSTD_DICTIONARY);
    alike(8_000).forEach(block::value);
    block.column(0).read(random);
  }

  @Test
  void aBaseThatHasABaseIsRefused() {
    ByteSink body = new ByteSink(64);
    for (int b : new int[] {0, 0, 0, 3, 1, 0, 'a', 0, 1, 1, 0, 'b', 0, 1, 1, 0, 'c'}) {
      body.writeByte(b);
    }
    body.ensure(8);
    SectionReader reader = new SectionReader(new DecompressionContexts(1));
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> reader.open(body.bytes, 0, body.length, null, 0));
    assertEquals("base: 1", refused.getMessage());
  }
}
