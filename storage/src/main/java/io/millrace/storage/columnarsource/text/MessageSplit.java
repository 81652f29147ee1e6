package io.millrace.storage.columnarsource.text;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;

/**
 * Takes a message apart into its template and its variables, so that filling the holes in order
 * gives the message again, byte for byte.
 *
 * <p>A variable is a word (letters and digits of ASCII) with a digit in it; of {@code node17} and
 * {@code 12ms} only the digits, of {@code 21T05} each run of digits, of what looks like hexadecimal
 * the whole word. Everything else is the template. A variable is never anything but letters and
 * digits of ASCII, or a UUID between other characters; searches rely on that ({@code
 * OutlinedSource}).
 *
 * <p>Why not the split of write.log-text: that one sees tokens of an analyzer, in lower case and
 * without what stands between them, so that it can be searched; this one must give every byte back
 * and sees UTF-8 as it is stored in JSON, escapes included. They share no code because they share
 * no rule.
 */
public final class MessageSplit {
  /** In a template: a variable. JSON strings cannot contain it; a message that does is refused. */
  public static final byte HOLE = 1;

  /** Bytes of a template; longer messages are refused. */
  public static final int MAX_TEMPLATE = 2048;

  /** Variables of a message; one with more is refused. */
  public static final int MAX_VARIABLES = 127;

  private static final int HEX_WORD = 6;
  private static final int UUID = 36;
  private static final int UUID_HEAD = 8;
  private static final byte OTHER = 0;
  private static final byte DIGIT = 1;
  private static final byte HEX_LETTER = 2;
  private static final byte LETTER = 3;
  private static final byte[] KIND = new byte[256];

  static {
    Arrays.fill(KIND, '0', '9' + 1, DIGIT);
    Arrays.fill(KIND, 'a', 'z' + 1, LETTER);
    Arrays.fill(KIND, 'A', 'Z' + 1, LETTER);
    Arrays.fill(KIND, 'a', 'f' + 1, HEX_LETTER);
    Arrays.fill(KIND, 'A', 'F' + 1, HEX_LETTER);
  }

  /** The template of the last message. */
  public final ByteSink template = new ByteSink(MAX_TEMPLATE + 64);

  /** Where each variable begins in the last message. */
  public final int[] starts = new int[MAX_VARIABLES + 1];

  /** Behind each variable. */
  public final int[] ends = new int[MAX_VARIABLES + 1];

  /** Variables of the last message. */
  public int variables;

  /**
   * Whether the text was taken apart.
   *
   * @param words whether words without digits are variables as well
   */
  public boolean split(byte[] text, int from, int end, boolean words) {
    variables = 0;
    template.length = 0;
    if (end - from > 8 * MAX_TEMPLATE) {
      return false;
    }
    template.ensure(end - from);
    int i = from;
    while (i < end) {
      byte c = text[i];
      if (KIND[c & 0xFF] == OTHER) {
        if (c == HOLE) {
          return false;
        }
        template.bytes[template.length++] = c;
        i++;
        continue;
      }
      int start = i;
      boolean digits = false;
      boolean letters = false;
      boolean hex = true;
      while (i < end) {
        byte kind = KIND[text[i] & 0xFF];
        if (kind == OTHER) {
          break;
        }
        digits |= kind == DIGIT;
        letters |= kind != DIGIT;
        hex &= kind != LETTER;
        i++;
      }
      if (hex && i - start == UUID_HEAD && uuid(text, start, end)) {
        i = start + UUID;
        hole(start, i);
      } else if (!digits && !words) {
        literal(text, start, i);
      } else if (!letters || !digits || hex && (words || i - start >= HEX_WORD)) {
        hole(start, i);
      } else {
        word(text, start, i, words);
      }
      if (variables > MAX_VARIABLES || template.length > MAX_TEMPLATE) {
        return false;
      }
    }
    return true;
  }

  private static boolean uuid(byte[] text, int start, int end) {
    if (end - start < UUID || end - start > UUID && KIND[text[start + UUID] & 0xFF] != OTHER) {
      return false;
    }
    for (int i = UUID_HEAD; i < UUID; i++) {
      byte kind = KIND[text[start + i] & 0xFF];
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? text[start + i] != '-' : kind != DIGIT && kind != HEX_LETTER) {
        return false;
      }
    }
    return true;
  }

  /** A word of letters and digits: at most two runs of digits are worth holes of their own. */
  private void word(byte[] text, int start, int end, boolean words) {
    int runs = 0;
    for (int i = start; i < end; i++) {
      if (digit(text[i]) && (i == start || !digit(text[i - 1]))) {
        runs++;
      }
    }
    boolean time = false;
    for (int i = start + 1; i + 1 < end && runs == 2; i++) {
      time |= text[i] == 'T' && digit(text[i - 1]) && digit(text[i + 1]);
    }
    if (runs > 1 && !time || variables + 2 * runs + 1 > MAX_VARIABLES) {
      hole(start, end);
      return;
    }
    int i = start;
    while (i < end) {
      int from = i;
      boolean digits = digit(text[i]);
      while (i < end && digit(text[i]) == digits) {
        i++;
      }
      if (digits || words) {
        hole(from, i);
      } else {
        literal(text, from, i);
      }
    }
  }

  private static boolean digit(byte c) {
    return c >= '0' && c <= '9';
  }

  private void literal(byte[] text, int start, int end) {
    System.arraycopy(text, start, template.bytes, template.length, end - start);
    template.length += end - start;
  }

  private void hole(int start, int end) {
    template.bytes[template.length++] = HOLE;
    if (variables <= MAX_VARIABLES) {
      starts[variables] = start;
      ends[variables] = end;
    }
    variables++;
  }
}
