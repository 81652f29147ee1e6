package io.millrace.cli.ingest.lines;

/**
 * Which digits of a time are which number. From it comes the layout of the time, in the letters of
 * {@code date(1)}: {@code 10/Oct/2000:13:55:36} is {@code %d/Oct/%Y:%H:%M:%S}. Names of months,
 * days and zones stay as they are written.
 */
final class TimeMarks {
  private final char[] what = new char[16];
  private final int[] from = new int[16];
  private final int[] length = new int[16];
  private int count;

  void clear() {
    count = 0;
  }

  void add(char kind, int start, int digits) {
    if (count == what.length) {
      return; // no time has so many numbers; the rest of a wrong track
    }
    int i = count++;
    while (i > 0 && from[i - 1] > start) {
      what[i] = what[i - 1];
      from[i] = from[i - 1];
      length[i] = length[i - 1];
      i--;
    }
    what[i] = kind;
    from[i] = start;
    length[i] = digits;
  }

  /** Appends the layout of a time that stands at {@code [start, end)}. */
  void write(StringBuilder out, String line, int start, int end) {
    int at = start;
    for (int i = 0; i < count; i++) {
      if (from[i] < at || from[i] + length[i] > end) {
        continue; // a mark of a track that was given up
      }
      Layout.literal(out, line, at, from[i]);
      out.append('%');
      switch (what[i]) {
        case 'Y' -> out.append(length[i] == 4 ? 'Y' : 'y');
        case 'N' -> out.append(length[i]).append('N');
        case 's', 'T' -> out.append(what[i]);
        case 'L' -> out.append(length[i] == 3 ? "3N" : "L");
        default -> out.append(length[i] == 1 ? "-" : "").append(what[i]);
      }
      at = from[i] + length[i];
    }
    Layout.literal(out, line, at, end);
  }
}
