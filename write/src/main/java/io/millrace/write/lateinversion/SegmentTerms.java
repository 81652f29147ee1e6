package io.millrace.write.lateinversion;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.ByteBlockPool.DirectTrackingAllocator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.apache.lucene.util.Counter;
import org.jspecify.annotations.Nullable;

/** The late terms of a segment that is being written, by field; for one thread. */
final class SegmentTerms {
  private final Counter poolBytes = Counter.newCounter();
  private final BytesRefBlockPool pool =
      new BytesRefBlockPool(new ByteBlockPool(new DirectTrackingAllocator(poolBytes)));
  private final List<String> names = new ArrayList<>(2);
  private final List<FieldTerms> fields = new ArrayList<>(2);

  void add(String field, int document, BytesRef written) {
    int i = names.indexOf(field);
    if (i < 0) {
      i = names.size();
      names.add(field);
      fields.add(new FieldTerms(pool));
    }
    fields.get(i).add(document, written);
  }

  /** What a field has in the segment, null if nothing; asked once, and forgotten then. */
  @Nullable SortedTerms sorted(String field) {
    int i = names.indexOf(field);
    if (i < 0) {
      return null;
    }
    names.remove(i);
    return new SortedTerms(fields.remove(i));
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  long ramBytesUsed() {
    long bytes = poolBytes.get();
    for (int i = 0; i < fields.size(); i++) {
      bytes += fields.get(i).ramBytesUsed();
    }
    return bytes;
  }
}
