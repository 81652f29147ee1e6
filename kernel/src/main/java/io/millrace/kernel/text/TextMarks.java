package io.millrace.kernel.text;

/**
 * Which bytes of a text are letters and digits of ASCII, one bit for each byte; reused from text to
 * text, for one thread.
 *
 * <p>Eight bytes are looked at at once, without a branch for any of them: a message changes between
 * words and what stands between them every few bytes, and a processor guesses half of these changes
 * wrong.
 */
public final class TextMarks {
  /** Multiplied by it, the bits 0, 8, 16 .. of a number stand in its highest byte, in order. */
  private static final long GATHER = 0x0102040810204080L;

  /** Letters and digits. No bit is set behind the text. */
  public long[] words = new long[16];

  /** Digits. */
  public long[] digits = new long[16];

  /** Letters that are no hexadecimal digits. */
  public long[] letters = new long[16];

  /** Bytes of the text. */
  public int length;

  /**
   * Marks the bytes of a text.
   *
   * @param sought a byte of ASCII that is not zero
   * @return whether the text holds the byte that is sought
   */
  public boolean mark(byte[] text, int from, int end, byte sought) {
    length = end - from;
    int longs = (length >> 6) + 2; // the last is for what asks behind the text
    if (words.length < longs) {
      words = new long[longs];
      digits = new long[longs];
      letters = new long[longs];
    }
    long found = 0;
    int at = from;
    for (int i = 0; i < longs; i++) {
      long inWords = 0;
      long inDigits = 0;
      long inLetters = 0;
      for (int shift = 0; shift < Long.SIZE && at < end; shift += 8, at += 8) {
        long eight = at + 8 <= end ? LittleEndian.getLong(text, at) : tail(text, at, end);
        long ascii = ~eight & Swar.HIGHS;
        long low = eight & ~Swar.HIGHS;
        long small = low | 0x20 * Swar.ONES;
        long digit = Swar.between(low, '0', '9') & ascii;
        long letter = Swar.between(small, 'a', 'z') & ascii;
        long beyondHex = Swar.between(small, 'g', 'z') & ascii;
        found |= Swar.zeros(eight ^ sought * Swar.ONES);
        inWords |= ((digit | letter) >>> 7) * GATHER >>> 56 << shift;
        inDigits |= (digit >>> 7) * GATHER >>> 56 << shift;
        inLetters |= (beyondHex >>> 7) * GATHER >>> 56 << shift;
      }
      words[i] = inWords;
      digits[i] = inDigits;
      letters[i] = inLetters;
    }
    return found != 0;
  }

  /** Fewer than eight bytes, with zeros behind them. */
  private static long tail(byte[] text, int at, int end) {
    if (end >= 8) {
      return LittleEndian.getLong(text, end - 8) >>> 8 * (8 - (end - at));
    }
    long eight = 0;
    for (int i = at; i < end; i++) {
      eight |= (text[i] & 0xFFL) << 8 * (i - at);
    }
    return eight;
  }

  /** The first letter or digit from a place on, {@link #length} if there is none. */
  public int word(int at) {
    int i = at >> 6;
    long left = words[i] & -1L << at;
    while (left == 0) {
      if (++i << 6 >= length) {
        return length;
      }
      left = words[i];
    }
    return (i << 6) + Long.numberOfTrailingZeros(left);
  }

  /** The first place without a mark from a place in the text on. */
  public static int end(long[] marks, int at) {
    int i = at >> 6;
    long left = ~marks[i] & -1L << at;
    while (left == 0) {
      left = ~marks[++i];
    }
    return (i << 6) + Long.numberOfTrailingZeros(left);
  }

  /** Whether there is a mark in a part of the text that is not empty. */
  public static boolean any(long[] marks, int from, int to) {
    int i = from >> 6;
    int last = to - 1 >> 6;
    long left = marks[i] & -1L << from;
    while (i < last) {
      if (left != 0) {
        return true;
      }
      left = marks[++i];
    }
    return (left & -1L >>> -to) != 0;
  }
}
