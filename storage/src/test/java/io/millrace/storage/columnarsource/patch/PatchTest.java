package io.millrace.storage.columnarsource.patch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.index.CorruptIndexException;
import org.junit.jupiter.api.Test;

/** A text is read back as it was, whatever its base is; a damaged patch is refused. */
class PatchTest {
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 12);

  private final PatchEncoder encoder = new PatchEncoder();

  /** Both stand within larger arrays, as values of fields do. */
  private byte[] patch(byte[] base, byte[] text) {
    byte[] around = new byte[base.length + 7];
    System.arraycopy(base, 0, around, 3, base.length);
    byte[] within = new byte[text.length + 9];
    System.arraycopy(text, 0, within, 5, text.length);
    ByteSink out = new ByteSink(16);
    out.writeByte(42);
    encoder.encode(around, 3, base.length, within, 5, text.length, out);
    assertEquals(42, out.bytes[0]);
    return Arrays.copyOfRange(out.bytes, 1, out.length);
  }

  private static byte[] read(byte[] patch, byte[] base) throws IOException {
    ByteSink from = new ByteSink(1);
    from.write(base, 0, base.length);
    ByteSink out = new ByteSink(1);
    out.writeByte(42);
    PatchDecoder.decode(patch, from, "test", out);
    return Arrays.copyOfRange(out.bytes, 1, out.length);
  }

  private int roundTrip(byte[] base, byte[] text) throws IOException {
    byte[] patch = patch(base, text);
    assertTrue(patch.length <= text.length + 1, "longer than the text");
    assertArrayEquals(text, read(patch, base));
    return patch.length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** As OpenSearch filters: without a field, and the others in another order. */
  @Test
  void whatAFilterLeavesIsCopied() throws IOException {
    String id = "0123456789abcdef".repeat(4);
    byte[] whole =
        ascii(
            "{\"trace_id\":\""
                + id
                + ".7\",\"service\":\"c2hvcA==.1\",\"latency\":1234,"
                + "\"tags\":[\"http.method=GET\"],\"data_binary\":\""
                + id.repeat(9)
                + "\"}");
    byte[] filtered =
        ascii(
            "{\"latency\":1234,\"data_binary\":\""
                + id.repeat(9)
                + "\",\"trace_id\":\""
                + id
                + ".7\",\"service\":\"c2hvcA==.1\"}");
    assertTrue(roundTrip(filtered, whole) < 70);
    assertTrue(roundTrip(whole, whole) < 10);
  }

  @Test
  void whatHasNothingInCommonIsKept() throws IOException {
    assertEquals(19, roundTrip(ascii("{\"a\":1,\"b\":2}"), ascii("not of that at all")));
    assertEquals(1, roundTrip(ascii("{\"a\":1,\"b\":2}"), new byte[0]));
    assertEquals(7, roundTrip(new byte[0], ascii("{\"a\":1}".substring(1))));
    assertEquals(8, roundTrip(ascii("{\"a\":1}"), ascii("{\"a\":1}")));
  }

  @Test
  void anyTexts() throws IOException {
    for (int round = 0; round < 100 * ROUNDS; round++) {
      Random random = new Random(SEED + round);
      byte[] base = new byte[random.nextInt(1 << random.nextInt(18))];
      int letters = 1 + random.nextInt(255);
      for (int i = 0; i < base.length; i++) {
        base[i] = (byte) random.nextInt(letters);
      }
      ByteSink text = new ByteSink(64);
      for (int pieces = random.nextInt(12); pieces > 0; pieces--) {
        int length = random.nextInt(1 + base.length);
        if (random.nextInt(3) > 0) {
          text.write(base, random.nextInt(1 + base.length - length), length);
        } else {
          byte[] other = new byte[random.nextInt(40)];
          random.nextBytes(other);
          text.write(other, 0, other.length);
        }
      }
      roundTrip(base, Arrays.copyOf(text.bytes, text.length));
    }
  }

  /** Nothing but Lucene's kind of error, and no more memory than the patch can ask for. */
  @Test
  void damagedPatches() throws IOException {
    Random random = new Random(SEED);
    byte[] base = new byte[400];
    random.nextBytes(base);
    ByteSink text = new ByteSink(64);
    text.write(base, 100, 200);
    text.write(ascii("something else"), 0, 14);
    text.write(base, 0, 90);
    byte[] sound = patch(base, Arrays.copyOf(text.bytes, text.length));
    assertTrue(PatchDecoder.needsBase(sound));
    for (int keep = 0; keep < sound.length; keep++) {
      byte[] cut = Arrays.copyOf(sound, keep);
      assertThrows(CorruptIndexException.class, () -> read(cut, base), "cut to " + keep);
    }
    byte[] longer = Arrays.copyOf(sound, sound.length + 1);
    assertThrows(CorruptIndexException.class, () -> read(longer, base));
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = sound.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        read(damaged, base);
      } catch (IOException e) {
        // refused
      }
    }
  }
}
