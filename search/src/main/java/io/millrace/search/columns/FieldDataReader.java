package io.millrace.search.columns;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.DocValueFetcher;
import org.opensearch.search.lookup.SourceLookup;

/** Any other field with doc values, as stock's {@code docvalue_fields} gives it. */
final class FieldDataReader implements ColumnReader {
  private final DocValueFetcher values;
  private final SourceLookup place = new SourceLookup();
  private @Nullable LeafReaderContext segment;

  FieldDataReader(DocValueFetcher values) {
    this.values = values;
  }

  @Override
  public void segment(LeafReaderContext segment) {
    this.segment = segment;
    values.setNextReader(segment);
  }

  @Override
  public void read(int document, ColumnValues column) throws IOException {
    place.setSegmentAndDocument(Objects.requireNonNull(segment), document);
    for (Object value : values.fetchValues(place)) {
      if (column.kind() == ValueKind.DOUBLE && value instanceof Number number) {
        column.add(Double.doubleToRawLongBits(number.doubleValue()));
      } else {
        column.add(value.toString());
      }
    }
  }
}
