/**
 * {@code storage.columnar-source}: {@code _source} stored as columns, given back byte for byte.
 *
 * <p>Reading order, from the outside in:
 *
 * <ol>
 *   <li>{@link io.millrace.storage.columnarsource.ColumnarSourceFormat}: the principle and every
 *       byte of the files; {@link io.millrace.storage.columnarsource.ColumnarSourceFeature}: the
 *       setting and the metrics.
 *   <li>This package: {@code ColumnarSourceWriter} and {@code ColumnarSourceReader} (Lucene's
 *       stored fields of one segment), {@code SourceMerge} (segments into one, block by block).
 *   <li>{@link io.millrace.storage.columnarsource.block}: documents to one block, and back.
 *   <li>{@link io.millrace.storage.columnarsource.column}: the values of one path to one column of
 *       a block, and back; one kind per sort of values.
 *   <li>{@link io.millrace.storage.columnarsource.text}: which texts come back exactly, and how.
 *   <li>{@link io.millrace.storage.columnarsource.segment}: what the blocks of a segment share.
 *   <li>{@link io.millrace.storage.columnarsource.section}: the bytes of a block, compressed and
 *       checked.
 *   <li>{@link io.millrace.storage.columnarsource.bytes}: arrays that grow.
 * </ol>
 *
 * <p>A package of this list knows only those below it ({@code section} is below {@code column}, not
 * below {@code text}). In each, what is written and what reads it stand side by side: {@code
 * BlockBuilder} and {@code BlockCursor}, {@code ColumnEncoder} and {@code Column}, {@code
 * TemplateEncoder} and {@code TemplateColumn}, {@code SectionWriter} and {@code SectionReader},
 * {@code SegmentDictionary} and {@code DictionaryReader}.
 */
@NullMarked
package io.millrace.storage.columnarsource;

import org.jspecify.annotations.NullMarked;
