package io.millrace.write.fastengine;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.kernel.text.Swar;
import java.nio.charset.StandardCharsets;

/**
 * A cursor over the bytes of one JSON document and the last scalar that it read.
 *
 * <p>Reads the strict core of JSON (RFC 8259) and says no to everything else, also to what stock's
 * parser tolerates (comments, JsonXContent#jsonFactory at 3.8.0; loose UTF-8): no is never an
 * error, the document then goes to stock. Strings are found eight bytes at a time and stay slices
 * of the source unless they hold an escape, so that most values reach Lucene without a copy.
 */
final class JsonBytes {
  /** Bytes of a number; longer ones are stock's. */
  static final int LONGEST_NUMBER = 500;

  private static final byte[] NOTHING = new byte[0];

  byte[] source = NOTHING;
  int position;
  int end;

  /** The bytes of the last string, or the digits of the last number as they stand in the source. */
  byte[] text = NOTHING;

  int offset;
  int length;

  /** Whether every byte of the last scalar is below 128. */
  boolean ascii;

  /** Length of the last scalar in UTF-16 units, the unit of {@code ignore_above}. */
  int characters;

  /** Whether the last number has neither fraction nor exponent. */
  boolean integral;

  boolean negative;
  boolean hasExponent;

  /** All digits of the last number as one integer; valid if {@link #digits} is at most 18. */
  long mantissa;

  /** Number of digits of the last number, leading zeros of a fraction included. */
  int digits;

  /** Digits behind the point of the last number. */
  int fractionDigits;

  /** Lets go of the source. */
  void forget() {
    source = NOTHING;
    text = NOTHING;
  }

  /** Starts at the given slice; the cursor keeps no copy. */
  void start(byte[] bytes, int from, int count) {
    source = bytes;
    position = from;
    end = from + count;
  }

  /** The next byte that is not white space, without taking it; 0 at the end. */
  byte peek() {
    int p = position;
    while (p < end) {
      byte b = source[p];
      if (b > ' ' || (b != ' ' && b != '\n' && b != '\r' && b != '\t')) {
        position = p;
        return b;
      }
      p++;
    }
    position = p;
    return 0;
  }

  /** Takes a byte if it is the next one after white space. */
  boolean take(char wanted) {
    if (peek() != wanted || position >= end) {
      return false;
    }
    position++;
    return true;
  }

  /** Whether the given word stands here; takes it. */
  boolean word(byte[] word) {
    int to = position + word.length;
    if (to > end || !java.util.Arrays.equals(source, position, to, word, 0, word.length)) {
      return false;
    }
    text = source;
    offset = position;
    length = word.length;
    characters = word.length;
    ascii = true;
    position = to;
    return true;
  }

  /** Reads the string whose opening quote has just been taken. */
  boolean string() {
    byte[] bytes = source;
    int p = position;
    int start = p;
    boolean plain = true;
    int extra = 0;
    while (true) {
      while (p + Long.BYTES <= end) {
        long x = LittleEndian.getLong(bytes, p);
        long special =
            (x - 0x20 * Swar.ONES)
                | ((x ^ ('"' * Swar.ONES)) - Swar.ONES)
                | ((x ^ ('\\' * Swar.ONES)) - Swar.ONES)
                | x;
        if ((special & Swar.HIGHS) != 0) {
          break;
        }
        p += Long.BYTES;
      }
      if (p >= end) {
        return false;
      }
      byte b = bytes[p];
      if (b == '"') {
        text = bytes;
        offset = start;
        length = p - start;
        ascii = plain;
        characters = length - extra;
        position = p + 1;
        return true;
      }
      if (b == '\\') {
        return escapedString(start, p, plain, extra);
      }
      if (b >= 0) {
        if (b < ' ') {
          return false;
        }
        p++;
      } else {
        int bytesOfPoint = Utf8.sequence(bytes, p, end);
        if (bytesOfPoint == 0) {
          return false;
        }
        plain = false;
        // two bytes make one unit, three make one, four make two
        extra += bytesOfPoint == 2 ? 1 : 2;
        p += bytesOfPoint;
      }
    }
  }

  private boolean escapedString(int start, int firstEscape, boolean plainSoFar, int extraSoFar) {
    byte[] bytes = source;
    int close = closingQuote(firstEscape);
    if (close < 0) {
      return false;
    }
    // an escape is never shorter than the bytes it stands for
    byte[] out = new byte[close - start];
    int n = firstEscape - start;
    System.arraycopy(bytes, start, out, 0, n);
    boolean plain = plainSoFar;
    int extra = extraSoFar;
    int p = firstEscape;
    while (p < close) {
      byte b = bytes[p];
      if (b == '\\') {
        byte kind = bytes[p + 1];
        if (kind == 'u') {
          int unit = Utf8.hex(bytes, p + 2, close);
          p += 6;
          if (unit < 0 || Character.isLowSurrogate((char) unit)) {
            return false;
          }
          int point = unit;
          if (Character.isHighSurrogate((char) unit)) {
            if (p + 6 > close || bytes[p] != '\\' || bytes[p + 1] != 'u') {
              return false;
            }
            int low = Utf8.hex(bytes, p + 2, close);
            if (low < 0 || !Character.isLowSurrogate((char) low)) {
              return false;
            }
            p += 6;
            point = Character.toCodePoint((char) unit, (char) low);
          }
          int count = Utf8.encode(point, out, n);
          n += count;
          plain &= count == 1;
          extra += count == 1 ? 0 : count == 2 ? 1 : 2;
        } else {
          byte plainByte = unescape(kind);
          if (plainByte == 0) {
            return false;
          }
          out[n++] = plainByte;
          p += 2;
        }
      } else if (b >= 0) {
        if (b < ' ') {
          return false;
        }
        out[n++] = b;
        p++;
      } else {
        int count = Utf8.sequence(bytes, p, close);
        if (count == 0) {
          return false;
        }
        System.arraycopy(bytes, p, out, n, count);
        n += count;
        p += count;
        plain = false;
        extra += count == 2 ? 1 : 2;
      }
    }
    text = out;
    offset = 0;
    length = n;
    ascii = plain;
    characters = n - extra;
    position = close + 1;
    return true;
  }

  /** The quote that ends a string, from a position that is no second half of an escape; else -1. */
  private int closingQuote(int from) {
    for (int p = from; p < end; p++) {
      byte b = source[p];
      if (b == '"') {
        return p;
      }
      if (b == '\\') {
        p++;
      }
    }
    return -1;
  }

  private static byte unescape(byte kind) {
    return switch (kind) {
      case '"', '\\', '/' -> kind;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> 0;
    };
  }

  /**
   * Reads the number that starts here; its grammar is RFC 8259, section 6. One that stock's parser
   * may refuse for its length, also for a text field, is not read: it refuses 1,001 digits
   * (Jackson's StreamReadConstraints).
   */
  boolean number() {
    byte[] bytes = source;
    int p = position;
    int start = p;
    negative = bytes[p] == '-';
    if (negative) {
      p++;
    }
    int firstDigit = p;
    long value = 0;
    while (p < end && isDigit(bytes[p])) {
      value = value * 10 + (bytes[p] - '0');
      p++;
    }
    int whole = p - firstDigit;
    if (whole == 0 || (whole > 1 && bytes[firstDigit] == '0')) {
      return false;
    }
    integral = true;
    hasExponent = false;
    fractionDigits = 0;
    if (p < end && bytes[p] == '.') {
      int point = p++;
      while (p < end && isDigit(bytes[p])) {
        value = value * 10 + (bytes[p] - '0');
        p++;
      }
      fractionDigits = p - point - 1;
      if (fractionDigits == 0) {
        return false;
      }
      integral = false;
    }
    if (p < end && (bytes[p] == 'e' || bytes[p] == 'E')) {
      p++;
      if (p < end && (bytes[p] == '+' || bytes[p] == '-')) {
        p++;
      }
      int exponent = p;
      while (p < end && isDigit(bytes[p])) {
        p++;
      }
      if (p == exponent) {
        return false;
      }
      integral = false;
      hasExponent = true;
    }
    if (p - start > LONGEST_NUMBER) {
      return false;
    }
    mantissa = value;
    digits = whole + fractionDigits;
    text = bytes;
    offset = start;
    length = p - start;
    characters = length;
    ascii = true;
    position = p;
    return true;
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** The last scalar as a string. */
  String asString() {
    return new String(
        text, offset, length, ascii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }
}
