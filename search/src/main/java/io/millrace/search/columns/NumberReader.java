package io.millrace.search.columns;

import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.jspecify.annotations.Nullable;

/** Numbers, dates and booleans from doc values. */
final class NumberReader implements ColumnReader {
  private final String field;
  private final LongUnaryOperator decode;
  private @Nullable SortedNumericDocValues values;

  /**
   * @param decode from what Lucene keeps to what a {@link ColumnValues} does
   */
  NumberReader(String field, LongUnaryOperator decode) {
    this.field = field;
    this.decode = decode;
  }

  @Override
  public void segment(LeafReaderContext segment) throws IOException {
    values = DocValues.getSortedNumeric(segment.reader(), field);
  }

  @Override
  public void read(int document, ColumnValues column) throws IOException {
    SortedNumericDocValues now = values;
    if (now != null && now.advanceExact(document)) {
      for (int left = now.docValueCount(); left > 0; left--) {
        column.add(decode.applyAsLong(now.nextValue()));
      }
    }
  }
}
