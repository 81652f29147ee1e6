package io.millrace.storage.columnarsource;

import java.util.Arrays;

/** The values of one column of a block, as places in a text; reused from block to block. */
final class Spans {
  private static final byte[] NONE = {};

  /** Of a whole block; one that is reused lets go of it after each ({@link #clear}). */
  byte[] text;

  int[] starts;
  int[] lengths;
  int count;

  /** An empty column of a text that comes later. */
  Spans(int capacity) {
    this(NONE, capacity);
  }

  Spans(byte[] text, int capacity) {
    this.text = text;
    starts = new int[capacity];
    lengths = new int[capacity];
  }

  void clear() {
    count = 0;
    text = NONE;
  }

  void add(int start, int length) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, Math.max(16, 2 * count));
      lengths = Arrays.copyOf(lengths, starts.length);
    }
    starts[count] = start;
    lengths[count++] = length;
  }
}
