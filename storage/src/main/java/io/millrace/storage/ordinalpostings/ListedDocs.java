package io.millrace.storage.ordinalpostings;

import io.millrace.kernel.postings.DocsOnlyPostings;
import java.io.IOException;

/** The documents of one list: frequency one, no positions. */
final class ListedDocs extends DocsOnlyPostings {
  private final OrdinalLists.Reader reader;
  private long at;
  private long end;
  private long size;
  private int doc;

  ListedDocs(OrdinalLists.Reader reader) {
    this.reader = reader;
  }

  /** Whether another term of these lists may be read with this. */
  boolean reads(OrdinalLists lists) {
    return reader.lists() == lists;
  }

  ListedDocs reset(long ord) {
    at = reader.start(ord) - 1;
    end = reader.start(ord + 1);
    size = end - at - 1;
    doc = -1;
    return this;
  }

  @Override
  public int docID() {
    return doc;
  }

  @Override
  public int nextDoc() throws IOException {
    if (++at >= end) {
      at = end;
      return doc = NO_MORE_DOCS;
    }
    return doc = reader.document(at);
  }

  /** In steps that double, then by halves. */
  @Override
  public int advance(int target) throws IOException {
    long below = at;
    long step = 1;
    while (below + step < end && reader.document(below + step) < target) {
      below += step;
      step <<= 1;
    }
    long above = Math.min(below + step, end);
    while (above - below > 1) {
      long middle = below + above >>> 1;
      if (reader.document(middle) < target) {
        below = middle;
      } else {
        above = middle;
      }
    }
    at = above;
    return doc = above == end ? NO_MORE_DOCS : reader.document(above);
  }

  @Override
  public long cost() {
    return size;
  }
}
