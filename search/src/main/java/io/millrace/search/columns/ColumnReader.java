package io.millrace.search.columns;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/** Reads the values of one column for the hits of a shard, in the order of their documents. */
interface ColumnReader {
  /** The next documents are of this segment. */
  void segment(LeafReaderContext segment) throws IOException;

  /** Adds the values of a document; the row is ended by the caller. */
  void read(int document, ColumnValues column) throws IOException;
}
