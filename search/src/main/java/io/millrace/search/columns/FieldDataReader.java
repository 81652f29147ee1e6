package io.millrace.search.columns;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.index.mapper.DocValueFetcher;
import org.opensearch.search.fetch.FetchSubPhase.HitContext;

/** Any other field with doc values, as stock's {@code docvalue_fields} gives it. */
final class FieldDataReader implements ColumnReader {
  private final DocValueFetcher values;

  FieldDataReader(DocValueFetcher values) {
    this.values = values;
  }

  @Override
  public void segment(LeafReaderContext segment) {
    values.setNextReader(segment);
  }

  @Override
  public void read(HitContext hit, ColumnValues column) throws IOException {
    for (Object value : values.fetchValues(hit.sourceLookup())) {
      if (column.kind() == ValueKind.DOUBLE && value instanceof Number number) {
        column.add(Double.doubleToRawLongBits(number.doubleValue()));
      } else {
        column.add(value.toString());
      }
    }
  }
}
