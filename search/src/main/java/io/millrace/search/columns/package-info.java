/**
 * Answers of a search as columns. Reading order: {@link ColumnsRequest} is what a client asks,
 * {@link ColumnsPhase} collects the values of a shard into a {@link ColumnBlock}, {@link
 * ColumnTable} puts the blocks of all shards into the order of the hits, and {@link ColumnFormat}
 * writes the table.
 */
@NullMarked
package io.millrace.search.columns;

import org.jspecify.annotations.NullMarked;
