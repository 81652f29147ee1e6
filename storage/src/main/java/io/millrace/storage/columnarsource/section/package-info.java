/**
 * The body of one block: directory, packed values and frames of compressed text; {@code
 * SectionWriter} gathers them, {@code SectionReader} checks and decodes them, {@code PackedLongs}
 * are whole numbers in both.
 */
@NullMarked
package io.millrace.storage.columnarsource.section;

import org.jspecify.annotations.NullMarked;
