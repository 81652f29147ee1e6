/**
 * The values of one path of a block to one column, and back. {@link
 * io.millrace.storage.columnarsource.column.ColumnKind} says what each kind writes, {@code
 * ColumnEncoder} chooses the kind, {@code Column} reads it; messages have their own pair, {@code
 * TemplateEncoder} and {@code TemplateColumn}.
 */
@NullMarked
package io.millrace.storage.columnarsource.column;

import org.jspecify.annotations.NullMarked;
