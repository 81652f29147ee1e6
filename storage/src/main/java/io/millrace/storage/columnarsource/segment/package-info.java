/**
 * What the blocks of a segment share: its shapes and templates ({@code SegmentDictionary} while it
 * is written, {@code DictionaryReader} when it is read) and where its blocks lie ({@code
 * SegmentLayout}).
 */
@NullMarked
package io.millrace.storage.columnarsource.segment;

import org.jspecify.annotations.NullMarked;
