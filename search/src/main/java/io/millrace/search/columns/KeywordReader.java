package io.millrace.search.columns;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/** Keywords from doc values: a string is read once for each segment, however many rows have it. */
final class KeywordReader implements ColumnReader {
  private final String field;
  private final Map<Long, Integer> places = new HashMap<>();
  private final Map<String, Integer> strings = new HashMap<>();
  private @Nullable SortedSetDocValues values;

  KeywordReader(String field) {
    this.field = field;
  }

  @Override
  public void segment(LeafReaderContext segment) throws IOException {
    values = DocValues.getSortedSet(segment.reader(), field);
    places.clear();
  }

  @Override
  public void read(int document, ColumnValues column) throws IOException {
    SortedSetDocValues now = values;
    if (now != null && now.advanceExact(document)) {
      for (int left = now.docValueCount(); left > 0; left--) {
        long ordinal = now.nextOrd();
        Integer place = places.get(ordinal);
        if (place == null) {
          place = strings.computeIfAbsent(now.lookupOrd(ordinal).utf8ToString(), column::intern);
          places.put(ordinal, place);
        }
        column.add((long) place);
      }
    }
  }
}
