package io.millrace.search.columns;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;

/** Values from stored fields and {@code _source}: texts, and what has no doc values. */
final class StoredReader implements ColumnReader {
  private final StoredDocument document;
  private final List<String> names;

  /**
   * @param names of the stored fields or paths that hold the values
   */
  StoredReader(StoredDocument document, List<String> names) {
    this.document = document;
    this.names = names;
  }

  @Override
  public void segment(LeafReaderContext segment) {
    // the document is told of it once for all columns
  }

  @Override
  public void read(int row, ColumnValues column) throws IOException {
    for (String name : names) {
      for (String value : document.values(row, name)) {
        add(value, column);
      }
    }
  }

  /** A value that is no number where the mapping says one was not indexed: it is left out. */
  private static void add(String value, ColumnValues column) {
    try {
      switch (column.kind()) {
        case LONG -> column.add(new BigDecimal(value).longValue());
        case DOUBLE -> column.add(Double.doubleToRawLongBits(Double.parseDouble(value)));
        case BOOLEAN -> column.add(Boolean.parseBoolean(value) || value.equals("T") ? 1L : 0L);
        default -> column.add(value);
      }
    } catch (NumberFormatException e) {
      // ignore_malformed let it into _source only
    }
  }
}
