package io.millrace.storage.packedids;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Lowercase hexadecimal terms of one width, two digits in a byte.
 *
 * <p>The digits {@code 0-9a-f} are in the same order as the values 0 to 15, so among terms of one
 * width the packed bytes sort exactly as the terms do: ordinals, ranges and merges need no
 * translation, only terms.
 *
 * <p>A width is the number of digits. 0 stands for "not packed" everywhere.
 */
final class HexTerms {
  /** Shorter terms gain less than the wrappers cost; 16 is a 64-bit id (span_id). */
  static final int MIN_WIDTH = 16;

  /** A SHA-512; bounds what a damaged attribute can make a reader allocate. */
  static final int MAX_WIDTH = 128;

  /** The value of each digit, -1 for what is none; a branch would be mispredicted. */
  private static final byte[] VALUES = values();

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private HexTerms() {}

  private static byte[] values() {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) -1);
    for (int digit = 0; digit < 16; digit++) {
      values[Character.forDigit(digit, 16)] = (byte) digit;
    }
    return values;
  }

  /** The value of a digit, or -1. */
  private static int digit(byte c) {
    return VALUES[c & 0xff];
  }

  /** The eight digits of four packed bytes, first digit in the high byte. */
  private static long text(int packed) {
    long digits = packed & 0xffff_ffffL;
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffffL;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ffL;
    digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0fL;
    // 1 in each byte of 10 or more, which needs the distance from '9' + 1 to 'a' as well
    long letters = (digits + 0x0606_0606_0606_0606L) >>> 4 & 0x0101_0101_0101_0101L;
    return digits + 0x3030_3030_3030_3030L + letters * ('a' - '9' - 1);
  }

  /** Whether the term has this width and nothing but digits. */
  static boolean fits(BytesRef term, int width) {
    if (term.length != width) {
      return false;
    }
    for (int i = term.offset; i < term.offset + width; i++) {
      if (digit(term.bytes[i]) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The width at which a term alone could be packed, or 0. */
  static int width(BytesRef term) {
    int length = term.length;
    return allowed(length) && fits(term, length) ? length : 0;
  }

  private static boolean allowed(int width) {
    return width >= MIN_WIDTH && width <= MAX_WIDTH && width % 2 == 0;
  }

  /**
   * The width that every term has, or 0 if one does not fit or there is none. Stops at the first
   * term that does not fit, so that fields without ids cost one term.
   */
  static int commonWidth(TermsEnum terms) throws IOException {
    BytesRef term = terms.next();
    int width = term == null ? 0 : width(term);
    while (width != 0 && (term = terms.next()) != null) {
      if (!fits(term, width)) {
        return 0;
      }
    }
    return width;
  }

  /** Fills {@code out} with half as many bytes as the width; false if the term does not fit. */
  static boolean pack(BytesRef term, int width, byte[] out) {
    if (term.length != width) {
      return false;
    }
    int from = term.offset;
    for (int i = 0; i < width / 2; i++, from += 2) {
      int both = digit(term.bytes[from]) << 4 | digit(term.bytes[from + 1]);
      if (both < 0) {
        return false;
      }
      out[i] = (byte) both;
    }
    return true;
  }

  /**
   * Fills {@code out} with the digits of a packed term.
   *
   * @throws CorruptIndexException if the packed term has another length than the field's width says
   */
  static void unpack(BytesRef packed, int width, byte[] out) throws CorruptIndexException {
    if (packed.length != width / 2) {
      throw new CorruptIndexException(
          "packed term of " + packed.length + " bytes in a field of " + width + " digits", "terms");
    }
    int from = packed.offset;
    int to = 0;
    for (; to + 8 <= width; from += 4, to += 8) {
      LONG.set(out, to, text((int) INT.get(packed.bytes, from)));
    }
    for (; to < width; from++, to += 2) {
      long pair = text(packed.bytes[from] & 0xff);
      out[to] = (byte) (pair >> 8);
      out[to + 1] = (byte) pair;
    }
  }

  /**
   * Fills {@code out} with the smallest packed term that is not below any bytes whatever; false if
   * all terms of this width are below. A target that fits is packed as it is.
   */
  static boolean ceiling(BytesRef target, int width, byte[] out) {
    Arrays.fill(out, 0, width / 2, (byte) 0);
    int common = Math.min(target.length, width);
    for (int i = 0; i < common; i++) {
      byte c = target.bytes[target.offset + i];
      int digit = digit(c);
      if (digit < 0) {
        int unsigned = c & 0xff;
        if (unsigned > 'f') {
          return increment(out, i);
        }
        // below '0' the zeros that are there; between '9' and 'a' the digit a and zeros
        set(out, i, unsigned > '9' ? 10 : 0);
        return true;
      }
      set(out, i, digit);
    }
    // a shorter target is below its own digits with zeros after it; a longer one is above them
    return target.length <= width || increment(out, width);
  }

  private static void set(byte[] out, int position, int digit) {
    int shift = (position & 1) == 0 ? 4 : 0;
    int other = out[position >> 1] & 15 << (4 - shift);
    out[position >> 1] = (byte) (other | digit << shift);
  }

  /** Adds one to the number in the first digits; false if they all are f. */
  private static boolean increment(byte[] out, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
      int digit = out[i >> 1] >> ((i & 1) == 0 ? 4 : 0) & 15;
      if (digit < 15) {
        set(out, i, digit + 1);
        return true;
      }
      set(out, i, 0);
    }
    return false;
  }

  /** Writes a field's width where the segment's field infos (.fnm, with a checksum) keep it. */
  static void record(FieldInfo field, String key, int width) {
    field.putAttribute(key, Integer.toString(width));
  }

  /**
   * The width that {@link #record} wrote, or -1 if it never did.
   *
   * @throws CorruptIndexException if it is none that {@link #record} writes
   */
  static int recorded(@Nullable FieldInfo field, String key) throws CorruptIndexException {
    String text = field == null ? null : field.getAttribute(key);
    if (field == null || text == null) {
      return -1;
    }
    int width;
    try {
      width = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new CorruptIndexException(key + " is not a number: " + text, field.name, e);
    }
    if (width != 0 && !allowed(width)) {
      throw new CorruptIndexException(key + " is no width: " + text, field.name);
    }
    return width;
  }
}
