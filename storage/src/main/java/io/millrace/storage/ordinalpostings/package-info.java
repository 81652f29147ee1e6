/**
 * Postings of ids without a terms dictionary of their own: a term is found in the field's doc
 * values, and its documents in lists by ordinal.
 *
 * <p>Reading order: {@link io.millrace.storage.ordinalpostings.OrdinalPostingsFormat} (the idea and
 * what Lucene's queries see), {@link
 * io.millrace.storage.ordinalpostings.OrdinalListsDocValuesFormat} (the files), {@code ListsWriter}
 * with {@code SortedPairs}, {@code OrdinalLists} with {@code ListedDocs}, {@code ValuesTermsEnum}.
 */
@NullMarked
package io.millrace.storage.ordinalpostings;

import org.jspecify.annotations.NullMarked;
