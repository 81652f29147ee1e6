package io.millrace.search.columns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * The values of one column of one shard, row by row: none, one or several for each.
 *
 * <p>Numbers stand in one array of longs (doubles by their bits). Strings stand once each, and the
 * array holds their places; so a column of levels or hosts is a few strings and small numbers.
 */
final class ColumnValues {
  private final ValueKind kind;
  private final @Nullable String pattern;

  /** Where the values of row i end; those of the next begin there. */
  private int[] ends = new int[16];

  private long[] values = new long[16];
  private final List<String> strings = new ArrayList<>();
  private int rows;
  private int count;
  private long bytes;

  /**
   * @param pattern of dates: the format of their strings
   */
  ColumnValues(ValueKind kind, @Nullable String pattern) {
    this.kind = kind;
    this.pattern = pattern;
  }

  ValueKind kind() {
    return kind;
  }

  @Nullable String pattern() {
    return pattern;
  }

  int rows() {
    return rows;
  }

  /** What the values hold on the heap, roughly. */
  long bytes() {
    return bytes + 8L * count + 4L * rows;
  }

  /** Adds a value to the row that is being written; a number's, or a double's bits. */
  void add(long value) {
    values = ArrayUtil.grow(values, count + 1);
    values[count++] = value;
  }

  /** Adds a string to the row that is being written. */
  void add(String text) {
    add(intern(text));
  }

  /** Keeps a string; its place is the value of each row that has it. */
  int intern(String text) {
    strings.add(text);
    bytes += 56 + 2L * text.length();
    return strings.size() - 1;
  }

  void endRow() {
    ends = ArrayUtil.grow(ends, rows + 1);
    ends[rows++] = count;
  }

  /** Place of the first value of a row. */
  int from(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  /** Place behind the last value of a row. */
  int to(int row) {
    return ends[row];
  }

  /** The number at a place; of a column of strings, the place of the string. */
  long number(int place) {
    return values[place];
  }

  double floating(int place) {
    return kind == ValueKind.DOUBLE ? Double.longBitsToDouble(values[place]) : values[place];
  }

  String string(int place) {
    return strings.get((int) values[place]);
  }

  void writeTo(StreamOutput out) throws IOException {
    out.writeEnum(kind);
    out.writeOptionalString(pattern);
    out.writeVInt(rows);
    boolean single = true;
    for (int row = 0; row < rows; row++) {
      single &= ends[row] == row + 1;
    }
    out.writeBoolean(single);
    if (!single) {
      for (int row = 0; row < rows; row++) {
        out.writeVInt(to(row) - from(row));
      }
    }
    out.writeStringCollection(strings);
    long last = 0;
    for (int i = 0; i < count; i++) {
      if (kind == ValueKind.DOUBLE) {
        out.writeLong(values[i]);
      } else if (kind == ValueKind.TEXT) {
        out.writeVLong(values[i]);
      } else {
        long difference = values[i] - last; // of times and counters: small
        out.writeZLong(difference);
        last = values[i];
      }
    }
  }

  static ColumnValues readFrom(StreamInput in) throws IOException {
    ColumnValues column = new ColumnValues(in.readEnum(ValueKind.class), in.readOptionalString());
    column.rows = in.readVInt();
    boolean single = in.readBoolean();
    column.ends = new int[column.rows];
    for (int row = 0; row < column.rows; row++) {
      column.count += single ? 1 : in.readVInt();
      column.ends[row] = column.count;
    }
    in.readStringList().forEach(column::intern);
    column.values = new long[column.count];
    long last = 0;
    for (int i = 0; i < column.count; i++) {
      if (column.kind == ValueKind.DOUBLE) {
        column.values[i] = in.readLong();
      } else if (column.kind == ValueKind.TEXT) {
        column.values[i] = in.readVLong();
      } else {
        last += in.readZLong();
        column.values[i] = last;
      }
    }
    return column;
  }
}
