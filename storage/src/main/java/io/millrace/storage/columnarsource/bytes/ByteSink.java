package io.millrace.storage.columnarsource.bytes;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * A byte array that grows, for one thread; the fields are read in place to save a copy.
 *
 * <p>Integers are written as Lucene's {@code DataOutput} writes them, so that {@code
 * ByteArrayDataInput} reads them back.
 */
public final class ByteSink {
  /** What was written, with room behind it; replaced when it grows. */
  public byte[] bytes;

  /** Bytes written. */
  public int length;

  /** Empty, with room for so many bytes. */
  public ByteSink(int capacity) {
    bytes = new byte[capacity];
  }

  /** Empties the sink and lets go of an array above {@code keep} bytes. */
  public void reset(int keep) {
    length = 0;
    if (bytes.length > keep) {
      bytes = new byte[keep];
    }
  }

  /** Makes room for {@code more} bytes behind {@link #length}. */
  public void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = ArrayUtil.grow(bytes, Math.addExact(length, more));
    }
  }

  /** Appends the lowest eight bits. */
  public void writeByte(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  /** Appends a piece of an array. */
  public void write(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  /** Any 32 bits; at most five bytes. */
  public void writeVInt(int value) {
    ensure(5);
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      bytes[length++] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** Any 64 bits; at most ten bytes. */
  public void writeVLong(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** Small absolute values are short. */
  public void writeZLong(long value) {
    writeVLong(value << 1 ^ value >> 63);
  }

  byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }
}
