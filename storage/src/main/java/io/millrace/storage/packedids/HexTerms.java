package io.millrace.storage.packedids;

import java.io.IOException;
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

  private HexTerms() {}

  /** The value of a digit, or -1. */
  private static int digit(byte c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }

  private static byte text(int digit) {
    return (byte) (digit < 10 ? '0' + digit : 'a' - 10 + digit);
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
    int to = 0;
    for (int i = packed.offset; i < packed.offset + packed.length; i++) {
      int both = packed.bytes[i];
      out[to++] = text(both >> 4 & 15);
      out[to++] = text(both & 15);
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
