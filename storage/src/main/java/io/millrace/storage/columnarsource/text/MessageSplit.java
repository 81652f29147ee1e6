package io.millrace.storage.columnarsource.text;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.kernel.text.TextMarks;
import io.millrace.storage.columnarsource.bytes.ByteSink;

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
  private static final int EIGHT = Long.BYTES;
  private static final int SHORT = 4 * EIGHT;

  /** The template of the last message. */
  public final ByteSink template = new ByteSink(MAX_TEMPLATE + 64);

  /** Where each variable begins in the last message. */
  public final int[] starts = new int[MAX_VARIABLES + 1];

  /** Behind each variable. */
  public final int[] ends = new int[MAX_VARIABLES + 1];

  /** Variables of the last message. */
  public int variables;

  private final TextMarks marks = new TextMarks();

  /** Up to where the text stands in the template or in a variable. */
  private int taken;

  /**
   * Whether the text was taken apart.
   *
   * @param words whether words without digits are variables as well
   */
  public boolean split(byte[] text, int from, int end, boolean words) {
    variables = 0;
    template.length = 0;
    if (end - from > 8 * MAX_TEMPLATE || marks.mark(text, from, end, HOLE)) {
      return false;
    }
    template.ensure(end - from + EIGHT);
    taken = from;
    int last = from;
    for (int at = marks.word(0); at < marks.length; at = marks.word(last - from)) {
      int behind = TextMarks.end(marks.words, at);
      last = from + behind;
      if (behind - at == UUID_HEAD && uuid(text, from, at)) {
        last = from + at + UUID;
        hole(text, from + at, last);
      } else if (words || TextMarks.any(marks.digits, at, behind)) {
        variable(text, from, at, behind, words);
      }
      if (variables > MAX_VARIABLES) {
        return false;
      }
    }
    if (last > from && template.length + last - taken > MAX_TEMPLATE) {
      return false;
    }
    literal(text, end);
    return true;
  }

  /** Whether the word of a text from {@code from} that begins at {@code at} begins a UUID. */
  private boolean uuid(byte[] text, int from, int at) {
    if (marks.length - at < UUID) {
      return false;
    }
    int start = from + at;
    return text[start + 8] == '-'
        && text[start + 13] == '-'
        && text[start + 18] == '-'
        && text[start + 23] == '-'
        && TextMarks.end(marks.words, at + 9) == at + 13
        && TextMarks.end(marks.words, at + 14) == at + 18
        && TextMarks.end(marks.words, at + 19) == at + 23
        && TextMarks.end(marks.words, at + 24) == at + UUID
        && !TextMarks.any(marks.letters, at, at + UUID);
  }

  /** A word that has a digit, or that is a variable without one. */
  private void variable(byte[] text, int from, int at, int behind, boolean words) {
    boolean whole =
        TextMarks.end(marks.digits, at) >= behind
            || (words || behind - at >= HEX_WORD) && !TextMarks.any(marks.letters, at, behind)
            || words && !TextMarks.any(marks.digits, at, behind);
    if (whole) {
      hole(text, from + at, from + behind);
    } else {
      word(text, from + at, from + behind, words);
    }
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
      hole(text, start, end);
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
        hole(text, from, i);
      }
    }
  }

  private static boolean digit(byte c) {
    return c >= '0' && c <= '9';
  }

  private void hole(byte[] text, int start, int end) {
    literal(text, start);
    taken = end;
    template.bytes[template.length++] = HOLE;
    if (variables <= MAX_VARIABLES) {
      starts[variables] = start;
      ends[variables] = end;
    }
    variables++;
  }

  /** Appends what stands before a place and is not taken; room is there for eight bytes more. */
  private void literal(byte[] text, int to) {
    int length = to - taken;
    if (length <= SHORT && taken + length + EIGHT <= text.length) {
      for (int i = 0; i < length; i += EIGHT) {
        long eight = LittleEndian.getLong(text, taken + i);
        LittleEndian.putLong(template.bytes, template.length + i, eight);
      }
    } else {
      System.arraycopy(text, taken, template.bytes, template.length, length);
    }
    template.length += length;
  }
}
