package io.millrace.storage.columnarsource.text;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.kernel.text.Swar;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Takes a JSON text apart into its shape (keys, punctuation, white space) and its values, so that
 * putting the values back in order gives the text again, byte for byte.
 *
 * <p>This is no parser: it needs to know nothing but where a string ends and whether a colon
 * follows. Whatever it accepts round-trips, valid JSON or not, since every byte goes either to the
 * shape or to a value. It refuses what holds a byte that marks a hole outside a value, what does
 * not begin with <code>{</code>, and what has more than {@value #MAX_HOLES} values or a shape of
 * more than {@value #MAX_SHAPE} bytes.
 */
public final class JsonShape {
  /** In a shape: a string value with its quotes. */
  public static final byte STRING = 1;

  /** In a shape: a number or a word such as {@code true}. */
  public static final byte BARE = 2;

  /** Values of a text; one with more is refused. */
  public static final int MAX_HOLES = 2048;

  static final int MAX_SHAPE = 16 * 1024;
  private static final long QUOTES = '"' * Swar.ONES;
  private static final long BACKSLASHES = '\\' * Swar.ONES;

  /** The shape of the last text. */
  public final ByteSink shape = new ByteSink(1024);

  /** Where each value begins in the last text. */
  public int[] starts = new int[64];

  /** Behind each value. */
  public int[] ends = new int[64];

  int holes;

  /** Where each hole stands in {@link #shape}. */
  private int[] places = new int[64];

  /** Whether {@link #shape} is whole, and that of the last text. */
  private boolean known;

  /** Whether the last text has the shape of the one before, which was taken apart, too. */
  public boolean same;

  /** Whether the text was taken apart; the values are then [starts[i], ends[i]) of it. */
  public boolean split(byte[] text, int from, int end) {
    same = known && again(text, from, end);
    known = same || anew(text, from, end);
    return known;
  }

  /**
   * Compares a text with the last shape, as most texts have that one: whether {@link #anew} would
   * give it, and the same values. What stands between two values is compared as a whole. A value's
   * end is where it would be found without a shape; behind a string the shape has no colon, as it
   * would be a key.
   */
  private boolean again(byte[] text, int from, int end) {
    int i = from;
    int at = 0;
    for (int h = 0; h < holes; h++) {
      int literal = places[h] - at;
      if (end - i <= literal
          || !Arrays.equals(shape.bytes, at, at + literal, text, i, i + literal)) {
        return false;
      }
      i += literal;
      at = places[h] + 1;
      if (shape.bytes[at - 1] == STRING) {
        int close = text[i] == '"' ? closingQuote(text, i + 1, end) : -1;
        if (close < 0) {
          return false;
        }
        starts[h] = i + 1;
        ends[h] = close;
        i = close + 1;
      } else {
        starts[h] = i;
        while (i < end && bare(text[i])) {
          i++;
        }
        ends[h] = i;
        if (i == starts[h]) {
          return false;
        }
      }
    }
    return Arrays.equals(shape.bytes, at, shape.length, text, i, end);
  }

  private boolean anew(byte[] text, int from, int end) {
    holes = 0;
    shape.length = 0;
    if (from == end || text[from] != '{') {
      return false;
    }
    int i = from;
    while (i < end) {
      byte c = text[i];
      if (c == '"') {
        int close = closingQuote(text, i + 1, end);
        if (close < 0) {
          return false;
        }
        if (colonFollows(text, close + 1, end)) {
          for (int k = i; k <= close; k++) {
            if (text[k] == STRING || text[k] == BARE) {
              return false;
            }
          }
          shape.write(text, i, close + 1 - i);
        } else {
          hole(STRING, i + 1, close);
        }
        i = close + 1;
      } else if (bare(c)) {
        int start = i;
        while (i < end && bare(text[i])) {
          i++;
        }
        hole(BARE, start, i);
      } else if (c > ' ' && c < 127 || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        shape.writeByte(c);
        i++;
      } else {
        return false;
      }
      if (holes > MAX_HOLES || shape.length > MAX_SHAPE) {
        return false;
      }
    }
    return true;
  }

  /** Where a string that begins before {@code from} ends; -1 where it does not. */
  public static int closingQuote(byte[] text, int from, int end) {
    int i = from;
    while (i + Long.BYTES <= end) {
      long eight = LittleEndian.getLong(text, i);
      long found = Swar.zeros(eight ^ QUOTES) | Swar.zeros(eight ^ BACKSLASHES);
      if (found == 0) {
        i += Long.BYTES;
        continue;
      }
      i += Long.numberOfTrailingZeros(found) >> 3;
      if (text[i] == '"') {
        return i;
      }
      i += 2;
    }
    for (; i < end; i++) {
      byte c = text[i];
      if (c == '"') {
        return i;
      }
      if (c == '\\') {
        i++;
      }
    }
    return -1;
  }

  private static boolean colonFollows(byte[] text, int from, int end) {
    for (int i = from; i < end; i++) {
      byte c = text[i];
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return c == ':';
      }
    }
    return false;
  }

  private static boolean bare(byte c) {
    return c >= '0' && c <= '9'
        || c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c == '-'
        || c == '.'
        || c == '+';
  }

  private void hole(byte kind, int start, int end) {
    if (holes == starts.length) {
      starts = Arrays.copyOf(starts, 2 * holes);
      ends = Arrays.copyOf(ends, 2 * holes);
      places = Arrays.copyOf(places, 2 * holes);
    }
    places[holes] = shape.length;
    shape.writeByte(kind);
    starts[holes] = start;
    ends[holes++] = end;
  }

  /**
   * The path of each hole of a shape: the keys above it and the kind of the hole. Elements of an
   * array share a path. Only decides which values share a column, never what is written back.
   */
  public static List<String> paths(byte[] shape, int from, int end) {
    List<String> paths = new ArrayList<>();
    Deque<String> parents = new ArrayDeque<>();
    String key = "";
    int i = from;
    while (i < end) {
      byte c = shape[i];
      if (c == '"') {
        int close = closingQuote(shape, i + 1, end);
        key = new String(shape, i + 1, close - i - 1, StandardCharsets.ISO_8859_1);
        i = close;
      } else if (c == '{') {
        parents.addLast(key);
      } else if (c == '}') {
        String parent = parents.pollLast();
        key = parent == null ? "" : parent;
      } else if (c == STRING || c == BARE) {
        paths.add(String.join("\0", parents) + '\0' + key + '\0' + c);
      }
      i++;
    }
    return paths;
  }
}
