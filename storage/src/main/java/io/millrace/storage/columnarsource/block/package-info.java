/**
 * Documents to one block, and back: {@link io.millrace.storage.columnarsource.block.BlockBuilder}
 * collects and encodes, {@link io.millrace.storage.columnarsource.block.BlockCursor} checks and
 * decodes.
 */
@NullMarked
package io.millrace.storage.columnarsource.block;

import org.jspecify.annotations.NullMarked;
