package io.millrace.storage.columnarsource.text;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;

/**
 * Hexadecimal ids in half their bytes: digits of one case and an even number, or 36 characters with
 * dashes where a UUID has them.
 */
public final class HexText {
  static final int LOWER = 0;
  static final int UPPER = 1;
  static final int UUID = 2;
  private static final int UUID_LENGTH = 36;
  private static final int MIN_LENGTH = 8;
  private static final int MAX_LENGTH = 128;
  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /** In the tables below: no digit. */
  private static final byte NONE = -1;

  private static final byte[] OF_LOWER = values('a');
  private static final byte[] OF_UPPER = values('A');

  private HexText() {}

  /** What each byte is worth as a digit of one case. */
  private static byte[] values(char a) {
    byte[] values = new byte[256];
    Arrays.fill(values, NONE);
    for (int i = 0; i < 16; i++) {
      values[i < 10 ? '0' + i : a + i - 10] = (byte) i;
    }
    return values;
  }

  /** The flags that fit a column that begins with this text, or -1. */
  public static int flags(byte[] text, int from, int length) {
    boolean uuid = length == UUID_LENGTH && text[from + 8] == '-';
    if (!uuid && (length < MIN_LENGTH || length > MAX_LENGTH || length % 2 != 0)) {
      return -1;
    }
    int flags = LOWER | (uuid ? UUID : 0);
    for (int i = from; i < from + length; i++) {
      if (text[i] >= 'A') {
        return text[i] <= 'F' ? flags | UPPER : flags;
      }
    }
    return flags;
  }

  /** Whether every column value may be packed with these flags. */
  public static boolean fits(byte[] text, int from, int length, int flags) {
    boolean uuid = (flags & UUID) != 0;
    byte[] values = (flags & UPPER) != 0 ? OF_UPPER : OF_LOWER;
    int all = 0;
    for (int i = 0; i < length; i++) {
      int c = text[from + i] & 0xFF;
      all |= uuid && dash(i) ? (c == '-' ? 0 : NONE) : values[c];
    }
    return all >= 0;
  }

  private static boolean dash(int i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
  }

  /** Bytes of a packed value. */
  public static int packedLength(int length, int flags) {
    return (flags & UUID) != 0 ? 16 : length / 2;
  }

  /** Bytes at most of the text of a packed value. */
  public static int longest(int packed) {
    return 2 * packed + 4;
  }

  /** Packs a value that {@link #fits}. */
  public static void pack(byte[] text, int from, int length, int flags, ByteSink out) {
    boolean uuid = (flags & UUID) != 0;
    byte[] values = (flags & UPPER) != 0 ? OF_UPPER : OF_LOWER;
    out.ensure(packedLength(length, flags));
    byte[] packed = out.bytes;
    int at = out.length;
    // a dash of a UUID stands where a pair of digits would begin
    for (int i = 0; i < length; i += 2) {
      if (uuid && dash(i)) {
        i++;
      }
      packed[at++] = (byte) (values[text[from + i]] << 4 | values[text[from + i + 1]]);
    }
    out.length = at;
  }

  /** Writes the text of a packed value of {@code length} bytes. */
  public static void append(byte[] packed, int from, int length, int flags, ByteSink out) {
    boolean uuid = (flags & UUID) != 0;
    int upper = (flags & UPPER) != 0 ? 'a' - 'A' : 0;
    out.ensure(2 * length + 4);
    for (int i = 0; i < length; i++) {
      if (uuid && (i == 4 || i == 6 || i == 8 || i == 10)) {
        out.bytes[out.length++] = '-';
      }
      out.bytes[out.length++] = digit(packed[from + i] >> 4 & 15, upper);
      out.bytes[out.length++] = digit(packed[from + i] & 15, upper);
    }
  }

  private static byte digit(int value, int upper) {
    byte digit = DIGITS[value];
    return value < 10 ? digit : (byte) (digit - upper);
  }
}
