package io.millrace.write.fastengine;

/**
 * Strict UTF-8 (RFC 3629): shortest form, no surrogates, at most U+10FFFF.
 *
 * <p>Stock decodes a value to a Java string and encodes it again. For strict UTF-8 that gives the
 * same bytes, for anything looser (overlong forms, encoded surrogates) it may not, so looser input
 * is left to stock.
 */
final class Utf8 {
  private Utf8() {}

  /**
   * Length of the sequence of two to four bytes at a position.
   *
   * @return 2, 3 or 4, or 0 if it is not strict UTF-8 or reaches beyond the end
   */
  static int sequence(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xFF;
    if (first < 0xC2 || first > 0xF4) {
      return 0;
    }
    int count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (at + count > end) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < low || second > high) {
      return 0;
    }
    for (int i = 2; i < count; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return count;
  }

  /** The four hexadecimal digits at a position, or -1. */
  static int hex(byte[] bytes, int at, int end) {
    if (at + 4 > end) {
      return -1;
    }
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /** Writes a code point that is no surrogate; returns the number of bytes. */
  static int encode(int point, byte[] out, int at) {
    if (point < 0x80) {
      out[at] = (byte) point;
      return 1;
    }
    if (point < 0x800) {
      out[at] = (byte) (0xC0 | point >> 6);
      out[at + 1] = (byte) (0x80 | point & 0x3F);
      return 2;
    }
    if (point < 0x10000) {
      out[at] = (byte) (0xE0 | point >> 12);
      out[at + 1] = (byte) (0x80 | point >> 6 & 0x3F);
      out[at + 2] = (byte) (0x80 | point & 0x3F);
      return 3;
    }
    out[at] = (byte) (0xF0 | point >> 18);
    out[at + 1] = (byte) (0x80 | point >> 12 & 0x3F);
    out[at + 2] = (byte) (0x80 | point >> 6 & 0x3F);
    out[at + 3] = (byte) (0x80 | point & 0x3F);
    return 4;
  }
}
