/** Which files of a segment are mapped into memory, read by calls, or loaded when opened. */
@NullMarked
package io.millrace.storage.fileaccess;

import org.jspecify.annotations.NullMarked;
