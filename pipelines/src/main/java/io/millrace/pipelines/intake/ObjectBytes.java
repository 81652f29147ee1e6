package io.millrace.pipelines.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.kernel.text.Swar;
import java.util.Arrays;

/**
 * Many JSON objects, one after another, each taken away as bytes.
 *
 * <p>Text that comes as UTF-8 goes out as it lies, but for what JSON escapes: it is never decoded,
 * unless it has bytes beyond ASCII, which are then checked. A generator of Jackson takes strings,
 * so that each text of a record was decoded and encoded again; that was the largest part of the
 * making of a document (otlp-measured.md). What is written is what the generator writes, to the
 * byte ({@code ObjectBytesTest}).
 */
public final class ObjectBytes {
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(ISO_8859_1);
  private static final byte[] CAPITALS = "0123456789ABCDEF".getBytes(ISO_8859_1);

  /** What stands behind the backslash for a control character; 0 where it is {@code u00..}. */
  private static final byte[] SHORT = new byte[0x20];

  static {
    SHORT['\b'] = 'b';
    SHORT['\t'] = 't';
    SHORT['\n'] = 'n';
    SHORT['\f'] = 'f';
    SHORT['\r'] = 'r';
  }

  /** The name of a field with its quotes and its colon. */
  public static final class Name {
    private final byte[] bytes;

    private Name(byte[] bytes) {
      this.bytes = bytes;
    }

    /** A name of letters, digits and signs that JSON does not escape. */
    public static Name of(String name) {
      return new Name(("\"" + name + "\":").getBytes(UTF_8));
    }
  }

  private byte[] bytes = new byte[1024];
  private int count;

  /**
   * Begins an object; what was written before is forgotten.
   *
   * @param common an object without its last brace, whose fields stand before the others; empty for
   *     none
   */
  public void begin(byte[] common) {
    count = 0;
    room(common.length + 1);
    if (common.length == 0) {
      bytes[count++] = '{';
    } else {
      System.arraycopy(common, 0, bytes, 0, common.length);
      count = common.length;
    }
  }

  /** The object that was begun, without its last brace; empty when it has no field. */
  public byte[] open() {
    return count == 1 ? new byte[0] : Arrays.copyOf(bytes, count);
  }

  /** The object that was begun. */
  public byte[] end() {
    endObject();
    return Arrays.copyOf(bytes, count);
  }

  /** Begins an object inside the one that is open. */
  public void startObject(Name name) {
    name(name);
    raw('{');
  }

  /** Begins an object as the value of the name before it, or as an element. */
  public void startObject() {
    separate();
    raw('{');
  }

  /** Ends the object that was begun last. */
  public void endObject() {
    raw('}');
  }

  /** Begins a list inside the object that is open. */
  public void startArray(Name name) {
    name(name);
    raw('[');
  }

  /** Begins a list as the value of the name before it, or as an element. */
  public void startArray() {
    separate();
    raw('[');
  }

  /** Ends the list that was begun last. */
  public void endArray() {
    raw(']');
  }

  /** The name of the value that follows. */
  public void name(Name name) {
    separate();
    raw(name.bytes);
  }

  /** As {@link #name(Name)}, in UTF-8; bytes that are none become U+FFFD. */
  public void name(byte[] utf8, int from, int length) {
    separate();
    quoted(utf8, from, length);
    raw(':');
  }

  /** As {@link #name(Name)}, for a name that may be any text. */
  public void name(String name) {
    byte[] utf8 = name.getBytes(UTF_8);
    name(utf8, 0, utf8.length);
  }

  /** A text in UTF-8; bytes that are none become U+FFFD. */
  public void text(byte[] utf8, int from, int length) {
    separate();
    quoted(utf8, from, length);
  }

  /** A text. */
  public void text(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    text(utf8, 0, utf8.length);
  }

  /** Bytes as hexadecimal digits in lower case. */
  public void hex(byte[] binary, int from, int length) {
    separate();
    room(2 * length + 2);
    bytes[count++] = '"';
    for (int i = from; i < from + length; i++) {
      bytes[count++] = DIGITS[binary[i] >> 4 & 0xF];
      bytes[count++] = DIGITS[binary[i] & 0xF];
    }
    bytes[count++] = '"';
  }

  /**
   * A time in the text of {@link IsoTime#of}.
   *
   * @param seconds since the epoch
   * @param more nanoseconds after that, of any sign
   */
  public void time(long seconds, long more) {
    separate();
    room(IsoTime.LONGEST + 2);
    bytes[count++] = '"';
    count = IsoTime.into(bytes, count, seconds, more);
    bytes[count++] = '"';
  }

  /** A whole number. */
  public void value(long value) {
    separate();
    if (value < 0) {
      raw(Long.toString(value).getBytes(ISO_8859_1));
      return;
    }
    int digits = 1;
    for (long left = value / 10; left > 0; left /= 10) {
      digits++;
    }
    room(digits);
    long left = value;
    for (int at = count + digits - 1; at >= count; at--) {
      bytes[at] = (byte) ('0' + left % 10);
      left /= 10;
    }
    count += digits;
  }

  /** A number; one that JSON does not have is given as text by the caller. */
  public void value(double value) {
    separate();
    raw(Double.toString(value).getBytes(ISO_8859_1));
  }

  /** True or false. */
  public void value(boolean value) {
    separate();
    raw(Boolean.toString(value).getBytes(ISO_8859_1));
  }

  /** No value. */
  public void nullValue() {
    separate();
    raw("null".getBytes(ISO_8859_1));
  }

  /** A comma, unless nothing stands before what follows or a name does. */
  private void separate() {
    byte last = bytes[count - 1];
    if (last != '{' && last != '[' && last != ':') {
      raw(',');
    }
  }

  private void raw(char one) {
    room(1);
    bytes[count++] = (byte) one;
  }

  private void raw(byte[] all) {
    raw(all, 0, all.length);
  }

  private void raw(byte[] from, int at, int length) {
    room(length);
    System.arraycopy(from, at, bytes, count, length);
    count += length;
  }

  private void room(int more) {
    if (bytes.length - count < more) {
      bytes =
          Arrays.copyOf(
              bytes,
              Math.max(
                  Math.addExact(count, more),
                  (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length)));
    }
  }

  private void quoted(byte[] utf8, int from, int length) {
    raw('"');
    int end = from + length;
    int stop = special(utf8, from, end, Swar.HIGHS);
    if (stop < end) {
      escaped(utf8, from, stop, end);
    } else {
      raw(utf8, from, length);
    }
    raw('"');
  }

  private void escaped(byte[] text, int from, int special, int end) {
    byte[] utf8 = text;
    long highs = Swar.HIGHS;
    int done = from;
    int last = end;
    int stop = special;
    while (stop < last) {
      raw(utf8, done, stop - done);
      done = stop;
      if (utf8[stop] < 0) { // the rest as it reads, which is UTF-8 whatever it was
        utf8 = new String(utf8, stop, last - stop, UTF_8).getBytes(UTF_8);
        highs = 0;
        done = 0;
        last = utf8.length;
      } else {
        escape(utf8[stop]);
        done = stop + 1;
      }
      stop = special(utf8, done, last, highs);
    }
    raw(utf8, done, last - done);
  }

  private void escape(byte ascii) {
    raw('\\');
    if (ascii >= 0x20) {
      raw((char) ascii);
    } else if (SHORT[ascii] != 0) {
      raw((char) SHORT[ascii]);
    } else {
      room(5);
      bytes[count++] = 'u';
      bytes[count++] = '0';
      bytes[count++] = '0';
      bytes[count++] = CAPITALS[ascii >> 4];
      bytes[count++] = CAPITALS[ascii & 0xF];
    }
  }

  /**
   * The first byte that does not stand for itself; the end without one.
   *
   * @param highs {@link Swar#HIGHS} when bytes beyond ASCII do not either, 0 when they do
   */
  private static int special(byte[] utf8, int from, int end, long highs) {
    int at = from;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long eight = LittleEndian.getLong(utf8, at);
      long found =
          eight & highs
              | eight - 0x20 * Swar.ONES & ~eight & Swar.HIGHS
              | Swar.zeros(eight ^ '"' * Swar.ONES)
              | Swar.zeros(eight ^ '\\' * Swar.ONES);
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >> 3); // the lowest one is exact
      }
    }
    for (; at < end; at++) {
      byte b = utf8[at];
      if (b < 0 ? highs != 0 : b < 0x20 || b == '"' || b == '\\') {
        return at;
      }
    }
    return end;
  }
}
