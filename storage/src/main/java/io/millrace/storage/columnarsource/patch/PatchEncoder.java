package io.millrace.storage.columnarsource.patch;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;

/**
 * Writes a text as pieces of another one, the base, and what that does not have.
 *
 * <p><b>Principle.</b> Every place of the base is noted under a hash of the eight bytes that begin
 * there. The text is then read from its beginning: where eight bytes of it stand in the base, the
 * longest piece around them is a copy, and all else is kept as it is. Nothing is assumed of either
 * text: one that has nothing in common with the base is kept whole, and what is read back is the
 * same bytes in any case.
 *
 * <p><b>Form.</b> One byte: {@value #VERBATIM}, and the text follows; or {@value #PATCH}, and then
 * the length of the text (vint) and pairs until that length is reached. A pair is the number of
 * bytes that are kept (vint), these bytes, and, unless the text ends with them, the length of a
 * copy (vint) and where it begins in the base, as the distance from the end of the copy before it
 * (zigzag vlong).
 *
 * <p>Memory: a table of 4 bytes for each place of the base, 256 KiB at most.
 *
 * <p>Sources: promise columnar-source; Korn and Vo, "The VCDIFF Generic Differencing and
 * Compression Data Format", RFC 3284 (copies and additions against a source).
 */
public final class PatchEncoder {
  /** The text follows as it is. */
  public static final int VERBATIM = 0;

  /** The text is copies of the base and what is kept between them. */
  public static final int PATCH = 1;

  private static final int HASHED = Long.BYTES;
  private static final int MOST_PLACES = 1 << 16;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private int[] places = new int[1 << 10];
  private int shift;

  /**
   * Appends the text as its difference to the base, or as it is where that is no longer. An empty
   * base is none.
   *
   * @param base an array in which the base stands from {@code baseAt} on
   * @param text an array in which the text stands from {@code textAt} on
   */
  public void encode(
      byte[] base,
      int baseAt,
      int baseLength,
      byte[] text,
      int textAt,
      int textLength,
      ByteSink out) {
    int begun = out.length;
    if (baseLength >= HASHED && textLength >= HASHED) {
      note(base, baseAt, baseLength);
      out.writeByte(PATCH);
      out.writeVInt(textLength);
      differ(base, baseAt, baseLength, text, textAt, textLength, out);
      if (out.length - begun <= textLength) {
        return;
      }
      out.length = begun;
    }
    out.writeByte(VERBATIM);
    out.write(text, textAt, textLength);
  }

  /** Bytes of the table. */
  public long ramBytesUsed() {
    return (long) Integer.BYTES * places.length;
  }

  /**
   * The first place of each hash, so that what repeats is copied from its beginning. Of a long base
   * every second place, or fewer: a copy is found a little later then.
   */
  private void note(byte[] base, int baseAt, int baseLength) {
    int size = 1 << 10;
    while (size < baseLength && size < MOST_PLACES) {
      size <<= 1;
    }
    if (places.length < size) {
      places = new int[size];
    } else {
      Arrays.fill(places, 0, size, 0);
    }
    shift = Long.SIZE - Integer.numberOfTrailingZeros(size);
    int step = 1 + baseLength / MOST_PLACES;
    for (int at = 0; at <= baseLength - HASHED; at += step) {
      int slot = slot(LittleEndian.getLong(base, baseAt + at));
      if (places[slot] == 0) {
        places[slot] = at + 1;
      }
    }
  }

  private int slot(long eight) {
    return (int) (eight * MULTIPLIER >>> shift);
  }

  private void differ(
      byte[] base,
      int baseAt,
      int baseLength,
      byte[] text,
      int textAt,
      int textLength,
      ByteSink out) {
    int kept = 0;
    int expected = 0;
    int at = 0;
    while (at <= textLength - HASHED) {
      long eight = LittleEndian.getLong(text, textAt + at);
      int found = expected;
      if (!stands(eight, base, baseAt, baseLength, found)) {
        found = places[slot(eight)] - 1;
        if (!stands(eight, base, baseAt, baseLength, found)) {
          at++;
          continue;
        }
      }
      int back = 0;
      while (at - back > kept
          && found - back > 0
          && text[textAt + at - back - 1] == base[baseAt + found - back - 1]) {
        back++;
      }
      int ahead =
          same(base, baseAt + found, baseLength - found, text, textAt + at, textLength - at);
      out.writeVInt(at - back - kept);
      out.write(text, textAt + kept, at - back - kept);
      out.writeVInt(back + ahead);
      out.writeZLong((long) found - back - expected);
      expected = found + ahead;
      at += ahead;
      kept = at;
    }
    if (kept < textLength) {
      out.writeVInt(textLength - kept);
      out.write(text, textAt + kept, textLength - kept);
    }
  }

  private static boolean stands(long eight, byte[] base, int baseAt, int baseLength, int at) {
    return at >= 0 && at <= baseLength - HASHED && LittleEndian.getLong(base, baseAt + at) == eight;
  }

  private static int same(byte[] a, int aAt, int aLength, byte[] b, int bAt, int bLength) {
    int most = Math.min(aLength, bLength);
    int differs = Arrays.mismatch(a, aAt, aAt + most, b, bAt, bAt + most);
    return differs < 0 ? most : differs;
  }
}
