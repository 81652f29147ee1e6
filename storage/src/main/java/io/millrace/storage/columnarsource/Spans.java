package io.millrace.storage.columnarsource;

import java.util.Arrays;

/** The values of one column of a block, as places in a text; reused from block to block. */
final class Spans {
  byte[] text;
  int[] starts;
  int[] lengths;
  int count;

  Spans(byte[] text, int capacity) {
    this.text = text;
    starts = new int[capacity];
    lengths = new int[capacity];
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
