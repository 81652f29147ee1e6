/** Byte arrays that grow, and what is kept in them: for one thread, read in place. */
@NullMarked
package io.millrace.storage.columnarsource.bytes;

import org.jspecify.annotations.NullMarked;
