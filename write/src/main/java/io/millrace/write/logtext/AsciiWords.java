package io.millrace.write.logtext;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.kernel.text.Swar;
import io.millrace.kernel.text.TextMarks;
import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.LogScanner;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * A value of ASCII in small letters, and its words and parts as {@link LogScanner} finds them: most
 * log lines are of this kind, and bytes are found, compared and copied eight at a time. For one
 * thread.
 */
final class AsciiWords {
  /** Bytes at most of a value. A longer one hardly fits into a template. */
  static final int MOST = 2 * LogTextStream.MAX_TEMPLATE_BYTES;

  /** Bytes that {@link #copy} may write behind what it copies. */
  static final int ROOM = Long.BYTES;

  private static final int MAX_TOKEN = LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
  private static final int SHORT = 32;

  private byte[] small = new byte[1024];
  private int length;
  private final TextMarks marks = new TextMarks();
  private final int[] starts = new int[LogScanner.MAX_PARTS];
  private final int[] ends = new int[LogScanner.MAX_PARTS];
  private int parts;
  private boolean digits;
  private boolean sure;
  private int next;

  /** Whether the text is such a value, which is copied then. */
  boolean take(char[] text, int newLength) {
    length = newLength;
    if (length > MOST) {
      return false;
    }
    if (small.length < length + ROOM) {
      small = new byte[ArrayUtil.oversize(length + ROOM, 1)];
    }
    // without a branch in the loop the compiler does several characters at once
    int all = 0;
    for (int i = 0; i < length; i++) {
      char c = text[i];
      all |= c;
      small[i] = (byte) c;
    }
    if (all >= 128) {
      return false;
    }
    for (int i = 0; i < length; i += Long.BYTES) {
      long eight = LittleEndian.getLong(small, i);
      long capitals = Swar.between(eight & ~Swar.HIGHS, 'A', 'Z') & ~eight;
      LittleEndian.putLong(small, i, eight | capitals >>> 2);
    }
    return true;
  }

  /** Starts over with the first word. */
  void reset() {
    marks.mark(small, 0, length, (byte) 1);
    next = marks.word(0);
    sure = true;
  }

  /** Moves to the next word; false at the end, and where it is not {@link #sure}. */
  boolean nextWord() {
    parts = 0;
    digits = false;
    int at = next;
    if (at >= length) {
      return false;
    }
    do {
      int end = TextMarks.end(marks.words, at);
      if (end - at > MAX_TOKEN || parts == LogScanner.MAX_PARTS) {
        sure = false;
        return false;
      }
      starts[parts] = at;
      ends[parts++] = end;
      digits |= TextMarks.any(marks.digits, at, end);
      at = marks.word(end);
    } while (at < length && LogScanner.join(small, ends[parts - 1], at));
    next = at;
    return true;
  }

  /** Whether all words were found; else a part or a word is so long that the scanner cuts it. */
  boolean sure() {
    return sure;
  }

  int parts() {
    return parts;
  }

  int start(int i) {
    return starts[i];
  }

  int end(int i) {
    return ends[i];
  }

  boolean hasDigit(int i) {
    return digits && TextMarks.any(marks.digits, starts[i], ends[i]);
  }

  /** Whether the word gets a token as a whole ({@code WholeTokens.WORDS}). */
  boolean hasWhole() {
    return parts > 1 && !digits && ends[parts - 1] - starts[0] <= MAX_TOKEN;
  }

  /** Points to a part of the value. */
  void slice(BytesRef ref, int start, int end) {
    ref.bytes = small;
    ref.offset = start;
    ref.length = end - start;
  }

  /** Copies a part of the value; {@code out} has {@link #ROOM} behind it. */
  void copy(int start, int count, byte[] out, int at) {
    if (count > SHORT) {
      System.arraycopy(small, start, out, at, count);
      return;
    }
    for (int i = 0; i < count; i += Long.BYTES) {
      LittleEndian.putLong(out, at + i, LittleEndian.getLong(small, start + i));
    }
  }
}
