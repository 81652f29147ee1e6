package io.millrace.storage.columnarsource.bytes;

import java.util.Arrays;

/** The values of one column of a block, as places in a text; reused from block to block. */
public final class Spans {
  private static final byte[] NONE = {};

  /** Of a whole block; one that is reused lets go of it after each ({@link #clear}). */
  public byte[] text;

  /** Where each value begins in {@link #text}. */
  public int[] starts;

  /** Bytes of each value. */
  public int[] lengths;

  /** Values. */
  public int count;

  /** An empty column of a text that comes later. */
  public Spans(int capacity) {
    this(NONE, capacity);
  }

  /** An empty column of a text. */
  public Spans(byte[] text, int capacity) {
    this.text = text;
    starts = new int[capacity];
    lengths = new int[capacity];
  }

  /** Empties the column and lets go of the text. */
  public void clear() {
    count = 0;
    text = NONE;
  }

  /** Adds a value. */
  public void add(int start, int length) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, Math.max(16, 2 * count));
      lengths = Arrays.copyOf(lengths, starts.length);
    }
    starts[count] = start;
    lengths[count++] = length;
  }
}
