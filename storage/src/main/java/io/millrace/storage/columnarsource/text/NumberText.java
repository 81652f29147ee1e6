package io.millrace.storage.columnarsource.text;

import io.millrace.storage.columnarsource.bytes.ByteSink;

/**
 * Numbers whose text can be written back from their value; everything else is refused.
 *
 * <p>Each {@code parse} accepts exactly the texts that its {@code append} produces, so a column of
 * them is byte-exact by construction.
 */
public final class NumberText {
  /** Not such a number; no accepted text has this value. */
  public static final long REFUSED = Long.MIN_VALUE;

  /** Digits that always fit a long. */
  public static final int MAX_DIGITS = 18;

  /** Bytes of a whole number at most. */
  public static final int LONGEST = MAX_DIGITS + 2;

  private static final long[] POWERS = new long[MAX_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private NumberText() {}

  static long power(int exponent) {
    return POWERS[exponent];
  }

  /** {@code 0} or digits without leading zero, with {@code -} before any but 0. */
  public static long parse(byte[] text, int from, int length) {
    boolean negative = length > 1 && text[from] == '-';
    int at = negative ? from + 1 : from;
    int digits = negative ? length - 1 : length;
    if (digits == 0 || digits > MAX_DIGITS + 1 || text[at] == '0' && (digits > 1 || negative)) {
      return REFUSED;
    }
    long value = 0;
    int end = at + Math.min(digits, MAX_DIGITS);
    for (; at < end; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        return REFUSED;
      }
      value = 10 * value + digit;
    }
    if (digits > MAX_DIGITS) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
        return REFUSED;
      }
      value = 10 * value + digit;
    }
    return negative ? -value : value;
  }

  /** Digits and nothing else, at most {@value #MAX_DIGITS}; leading zeros are kept by the width. */
  public static long parsePadded(byte[] text, int from, int length) {
    if (length == 0 || length > MAX_DIGITS) {
      return REFUSED;
    }
    long value = 0;
    for (int at = from; at < from + length; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        return REFUSED;
      }
      value = 10 * value + digit;
    }
    return value;
  }

  /** Writes a whole number that {@link #parse} gave. */
  public static void append(long value, ByteSink out) {
    long rest = value;
    if (rest < 0) {
      out.writeByte('-');
      rest = -rest;
    }
    appendPadded(rest, digits(rest), out);
  }

  static int digits(long value) {
    int digits = 1;
    while (digits <= MAX_DIGITS && value >= POWERS[digits]) {
      digits++;
    }
    return digits;
  }

  /** Writes the last {@code width} digits of a number, with zeros in front. */
  public static void appendPadded(long value, int width, ByteSink out) {
    out.ensure(width);
    long rest = value;
    for (int at = out.length + width - 1; at >= out.length; at--) {
      long tenth = rest / 10;
      out.bytes[at] = (byte) ('0' + (rest - 10 * tenth));
      rest = tenth;
    }
    out.length += width;
  }

  /** The place of the point in a decimal, or -1. */
  public static int fraction(byte[] text, int from, int length) {
    for (int at = from; at < from + length; at++) {
      if (text[at] == '.') {
        return from + length - at - 1;
      }
    }
    return -1;
  }

  /**
   * A decimal times a power of ten.
   *
   * @param fraction digits behind the point, 0 for a text without one
   * @param scale the power, at least {@code fraction}
   */
  public static long parseDecimal(byte[] text, int from, int length, int fraction, int scale) {
    boolean negative = text[from] == '-';
    int at = negative ? from + 1 : from;
    int end = from + length;
    int point = fraction == 0 ? end : end - fraction - 1;
    int whole = point - at;
    if (whole <= 0 || whole + scale > MAX_DIGITS || whole > 1 && text[at] == '0') {
      return REFUSED;
    }
    long value = 0;
    for (; at < end; at++) {
      if (at == point) {
        continue;
      }
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        return REFUSED;
      }
      value = 10 * value + digit;
    }
    if (negative && value == 0) {
      return REFUSED;
    }
    value *= POWERS[scale - fraction];
    return negative ? -value : value;
  }

  /**
   * Writes a decimal.
   *
   * @param least digits behind the point that stay even if they are zeros; with 0 a whole number
   *     has no point
   */
  public static void appendDecimal(long value, int scale, int least, ByteSink out) {
    long rest = value;
    if (rest < 0) {
      out.writeByte('-');
      rest = -rest;
    }
    long whole = rest / POWERS[scale];
    long part = rest - whole * POWERS[scale];
    appendPadded(whole, digits(whole), out);
    int shown = scale;
    while (shown > least && part % 10 == 0) {
      part /= 10;
      shown--;
    }
    if (shown > 0) {
      out.writeByte('.');
      appendPadded(part, shown, out);
    }
  }
}
