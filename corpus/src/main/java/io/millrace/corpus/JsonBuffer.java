package io.millrace.corpus;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing UTF-8 byte array with the few writes that building JSON documents needs.
 *
 * <p>Why: a generator or loader on the same machine as the node must cost little CPU beside it; a
 * String per document, then its encoding, is most of what such a program would do. Not thread-safe.
 */
public final class JsonBuffer {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private byte[] bytes;
  private int size;
  private long cachedSecond = Long.MIN_VALUE;
  private final byte[] cachedPrefix = new byte[20];

  public JsonBuffer() {
    this(1024);
  }

  public JsonBuffer(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  /** The array behind this buffer; only {@code [0, size())} is meaningful. */
  public byte[] array() {
    return bytes;
  }

  public int size() {
    return size;
  }

  /** Forgets everything after {@code newSize} bytes. */
  public JsonBuffer truncate(int newSize) {
    assert newSize <= size;
    size = newSize;
    return this;
  }

  public JsonBuffer clear() {
    size = 0;
    return this;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      long wanted = Math.max((long) size + more, (long) bytes.length + (bytes.length >> 1));
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
    }
  }

  public JsonBuffer raw(int oneByte) {
    room(1);
    bytes[size++] = (byte) oneByte;
    return this;
  }

  public JsonBuffer raw(byte[] more) {
    return raw(more, 0, more.length);
  }

  public JsonBuffer raw(byte[] more, int offset, int length) {
    room(length);
    System.arraycopy(more, offset, bytes, size, length);
    size += length;
    return this;
  }

  /** Appends text as it is, without escapes. */
  public JsonBuffer raw(String text) {
    return raw(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends text as the inside of a JSON string, escaped. */
  public JsonBuffer escaped(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return escaped(utf8, 0, utf8.length);
  }

  /** Appends valid UTF-8 as the inside of a JSON string, escaped. */
  public JsonBuffer escaped(byte[] utf8, int offset, int length) {
    room(length);
    for (int i = offset; i < offset + length; i++) {
      int b = utf8[i];
      if (b == '"' || b == '\\') {
        raw('\\').raw(b);
      } else if (b >= 0 && b < 0x20) {
        control(b);
      } else {
        raw(b);
      }
    }
    return this;
  }

  private void control(int b) {
    switch (b) {
      case '\n' -> raw('\\').raw('n');
      case '\t' -> raw('\\').raw('t');
      case '\r' -> raw('\\').raw('r');
      default -> raw('\\').raw('u').raw('0').raw('0').raw(HEX[b >> 4]).raw(HEX[b & 15]);
    }
  }

  /** Appends a quoted, escaped JSON string. */
  public JsonBuffer quoted(String text) {
    return raw('"').escaped(text).raw('"');
  }

  /** Appends a decimal number. */
  public JsonBuffer number(long value) {
    if (value < 0) {
      if (value == Long.MIN_VALUE) {
        return raw("-9223372036854775808");
      }
      raw('-');
      value = -value;
    }
    int digits = 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return padded(value, digits);
  }

  /** Appends the last {@code digits} decimal digits of a value that is not negative. */
  public JsonBuffer padded(long value, int digits) {
    room(digits);
    for (int i = size + digits - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + value % 10);
      value /= 10;
    }
    size += digits;
    return this;
  }

  /** Appends thousandths as a decimal with three places: 1234 gives 1.234. */
  public JsonBuffer thousandths(long value) {
    return number(value / 1000).raw('.').padded(value % 1000, 3);
  }

  /** Appends the lowest {@code digits} (1 to 16) hex digits. */
  public JsonBuffer hex(long value, int digits) {
    room(digits);
    for (int i = size + digits - 1; i >= size; i--) {
      bytes[i] = HEX[(int) (value & 15)];
      value >>>= 4;
    }
    size += digits;
    return this;
  }

  /** Appends {@code yyyy-MM-ddTHH:mm:ss.SSSZ}; milliseconds since 1970 UTC, years 0 to 9999. */
  public JsonBuffer instant(long epochMillis) {
    long second = Math.floorDiv(epochMillis, 1000L);
    if (second != cachedSecond) {
      int mark = size;
      civil(second);
      System.arraycopy(bytes, mark, cachedPrefix, 0, 20);
      size = mark;
      cachedSecond = second;
    }
    return raw(cachedPrefix).padded(Math.floorMod(epochMillis, 1000L), 3).raw('Z');
  }

  /** Days to year, month, day in the proleptic Gregorian calendar, without java.time objects. */
  private void civil(long epochSecond) {
    long days = Math.floorDiv(epochSecond, 86_400L);
    long rest = Math.floorMod(epochSecond, 86_400L);
    long shifted = days + 719_468;
    long era = Math.floorDiv(shifted, 146_097L);
    long dayOfEra = shifted - era * 146_097;
    long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long march = (5 * dayOfYear + 2) / 153;
    long day = dayOfYear - (153 * march + 2) / 5 + 1;
    long month = march < 10 ? march + 3 : march - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    padded(year, 4).raw('-').padded(month, 2).raw('-').padded(day, 2).raw('T');
    padded(rest / 3600, 2).raw(':').padded(rest / 60 % 60, 2).raw(':').padded(rest % 60, 2);
    raw('.');
  }
}
