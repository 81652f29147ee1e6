package io.millrace.write.lateinversion;

import io.millrace.kernel.stored.TakenStoredFields;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * What the codec of a shard knows of its late fields: their names, and the terms of the segments
 * that are being written. Stored fields and postings of a segment meet here by its {@link
 * SegmentInfo}; a segment that is given up takes its terms with it.
 */
final class LateSegments implements TakenStoredFields.Takers {
  private final Set<String> fields = ConcurrentHashMap.newKeySet();
  private final Map<SegmentInfo, SegmentTerms> flushing =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** From now on values of this name bring their terms. */
  void late(String field) {
    fields.add(field);
  }

  boolean isLate(String field) {
    return fields.contains(field);
  }

  /** Stored fields are all written before the postings of a segment. */
  @Override
  public TakenStoredFields.Taker open(SegmentInfo segment) {
    SegmentTerms terms = new SegmentTerms();
    return new TakenStoredFields.Taker() {
      @Override
      public boolean takes(FieldInfo field) {
        return isLate(field.name);
      }

      @Override
      public void take(FieldInfo field, int document, BytesRef value) {
        terms.add(field.name, document, value);
      }

      @Override
      public void finish() {
        if (!terms.isEmpty()) {
          flushing.put(segment, terms);
        }
      }

      @Override
      public long ramBytesUsed() {
        return terms.ramBytesUsed();
      }
    };
  }

  /** The terms of a field; given once. Null if no document of the segment has any. */
  @Nullable SortedTerms sorted(SegmentInfo segment, String field) {
    SegmentTerms terms = flushing.get(segment);
    if (terms == null) {
      return null;
    }
    SortedTerms sorted = terms.sorted(field);
    if (terms.isEmpty()) {
      flushing.remove(segment);
    }
    return sorted;
  }
}
