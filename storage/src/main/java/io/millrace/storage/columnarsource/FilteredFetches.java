package io.millrace.storage.columnarsource;

import io.millrace.kernel.slot.PartialSource;
import org.apache.lucene.index.StoredFieldVisitor;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.fieldvisitor.FieldsVisitor;

/**
 * The {@code _source} filter of the fetch that runs on a thread. A codec sees nothing of a search
 * but the visitor of its stored fields, and that says which fields the answer shows, not who else
 * reads the source: a listener of the search says here that nobody does.
 */
final class FilteredFetches {
  private final ThreadLocal<@Nullable WantedFields> ofThread = new ThreadLocal<>();

  /** A fetch on this thread reads sources for nothing but this filter. */
  void begins(WantedFields filter) {
    ofThread.set(filter);
  }

  /** No fetch runs on this thread, or one that needs whole sources. */
  void ends() {
    ofThread.remove();
  }

  /** The fields that a visitor wants; null for all. */
  @Nullable PartialSource wantedBy(StoredFieldVisitor visitor) {
    if (visitor instanceof PartialSource some) {
      return some;
    }
    if (!(visitor instanceof FieldsVisitor fields)
        || fields.includes().length + fields.excludes().length == 0) {
      return null;
    }
    WantedFields filter = ofThread.get();
    return filter != null && filter.askedBy(fields) ? filter : null;
  }
}
