package io.millrace.it.kafka;

import java.util.Arrays;

/** A time for each of the records 0, 1, 2 and so on, written by one thread and read by others. */
final class Moments {
  private long[] millis = new long[1 << 16];
  private int size;

  /** Notes the time of the next record. */
  synchronized void add(long time) {
    if (size == millis.length) {
      millis = Arrays.copyOf(millis, 2 * size);
    }
    millis[size++] = time;
  }

  /** Milliseconds since 1970. */
  synchronized long get(int record) {
    if (record >= size) {
      throw new IndexOutOfBoundsException(record);
    }
    return millis[record];
  }

  synchronized int size() {
    return size;
  }
}
