package io.millrace.search.columns;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * One column of an answer over all shards: its rows are those of the hits, its values of one kind.
 */
abstract class TableColumn {
  private final ColumnSpec spec;
  private final ValueKind kind;

  private TableColumn(ColumnSpec spec, ValueKind kind) {
    this.spec = spec;
    this.kind = kind;
  }

  final String name() {
    return spec.field();
  }

  final boolean list() {
    return spec.list();
  }

  final ValueKind kind() {
    return kind;
  }

  /** How many values a row has. */
  abstract int count(int row);

  /** A value of kind LONG, BOOLEAN, MILLIS or NANOS. */
  abstract long number(int row, int value);

  /** A value of kind DOUBLE. */
  abstract double floating(int row, int value);

  /** A value of any kind as a string; dates in their format. */
  abstract String text(int row, int value);

  /**
   * The column of a field.
   *
   * @param shards the columns of the blocks
   * @param block which of them a row is in
   * @param rows which row of it
   */
  static TableColumn ofField(ColumnSpec spec, List<ColumnValues> shards, int[] block, int[] rows) {
    ValueKind kind = ValueKind.NONE;
    for (ColumnValues each : shards) {
      kind = kind.with(each.kind());
    }
    return new OfField(spec, kind, shards, block, rows);
  }

  /** A column with one string in each row. */
  static TableColumn ofText(ColumnSpec spec, IntFunction<String> texts) {
    return new TableColumn(spec, ValueKind.TEXT) {
      @Override
      int count(int row) {
        return 1;
      }

      @Override
      long number(int row, int value) {
        throw new IllegalStateException("strings");
      }

      @Override
      double floating(int row, int value) {
        throw new IllegalStateException("strings");
      }

      @Override
      String text(int row, int value) {
        return texts.apply(row);
      }
    };
  }

  /** A column with one number in each row, or none where it is not a number. */
  static TableColumn ofNumber(ColumnSpec spec, IntToDoubleFunction numbers) {
    return new TableColumn(spec, ValueKind.DOUBLE) {
      @Override
      int count(int row) {
        return Double.isNaN(numbers.applyAsDouble(row)) ? 0 : 1;
      }

      @Override
      long number(int row, int value) {
        throw new IllegalStateException("floating-point numbers");
      }

      @Override
      double floating(int row, int value) {
        return numbers.applyAsDouble(row);
      }

      @Override
      String text(int row, int value) {
        return Double.toString(numbers.applyAsDouble(row));
      }
    };
  }

  private static final class OfField extends TableColumn {
    private final List<ColumnValues> shards;
    private final int[] block;
    private final int[] rows;
    private final Map<ColumnValues, DateTexts> formats = new IdentityHashMap<>();

    OfField(ColumnSpec spec, ValueKind kind, List<ColumnValues> shards, int[] block, int[] rows) {
      super(spec, kind);
      this.shards = shards;
      this.block = block;
      this.rows = rows;
    }

    private ColumnValues of(int row) {
      return shards.get(block[row]);
    }

    @Override
    int count(int row) {
      return of(row).to(rows[row]) - of(row).from(rows[row]);
    }

    @Override
    long number(int row, int value) {
      ColumnValues column = of(row);
      long number = column.number(column.from(rows[row]) + value);
      return kind() == ValueKind.NANOS && column.kind() == ValueKind.MILLIS
          ? number * 1_000_000
          : number;
    }

    @Override
    double floating(int row, int value) {
      ColumnValues column = of(row);
      return column.floating(column.from(rows[row]) + value);
    }

    @Override
    String text(int row, int value) {
      ColumnValues column = of(row);
      int place = column.from(rows[row]) + value;
      return switch (column.kind()) {
        case TEXT -> column.string(place);
        case DOUBLE -> Double.toString(column.floating(place));
        case BOOLEAN -> Boolean.toString(column.number(place) != 0);
        case MILLIS, NANOS -> date(column, column.number(place));
        default -> Long.toString(column.number(place));
      };
    }

    private String date(ColumnValues column, long number) {
      return formats
          .computeIfAbsent(
              column, c -> new DateTexts(c.pattern(), column.kind() == ValueKind.NANOS))
          .of(number);
    }
  }
}
