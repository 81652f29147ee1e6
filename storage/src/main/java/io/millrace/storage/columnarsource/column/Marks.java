package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.section.SectionReader;

/** Sums at every {@value #DISTANCE}th place of a column, as far as a reader has come. */
final class Marks {
  private static final int DISTANCE = 64;

  private final long[] sums;
  private int known;

  /**
   * @param first the sum at place 0
   * @param count places of the column
   */
  Marks(SectionReader sections, long first, int count) {
    sums = new long[count / DISTANCE + 1];
    sums[0] = first;
    sections.charge(32L + 8L * sums.length);
  }

  /** Whether a mark is a better start towards a place than {@code at}. */
  boolean shorter(int at, int index) {
    return index < at || index - at > DISTANCE && before(index) > at;
  }

  /** The last known mark that is not behind a place. */
  int before(int index) {
    return Math.min(known, index / DISTANCE) * DISTANCE;
  }

  /** The sum at a mark. */
  long value(int mark) {
    return sums[mark / DISTANCE];
  }

  /** A reader came to a place. */
  void pass(int at, long sum) {
    if (at % DISTANCE == 0 && at / DISTANCE == known + 1) {
      sums[++known] = sum;
    }
  }
}
