package io.millrace.write.lateinversion;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.SegmentInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the codec of a shard knows of its late fields: their names, and the terms of the segments
 * that are being written. Stored fields and postings of a segment meet here by its {@link
 * SegmentInfo}; a segment that is given up takes its terms with it.
 */
final class LateSegments {
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

  /** The stored fields of a segment are written; its postings come next. */
  void gathered(SegmentInfo segment, SegmentTerms terms) {
    if (!terms.isEmpty()) {
      flushing.put(segment, terms);
    }
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
