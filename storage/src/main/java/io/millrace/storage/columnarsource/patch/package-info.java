/** A text as its difference to another one that is stored beside it. */
@NullMarked
package io.millrace.storage.columnarsource.patch;

import org.jspecify.annotations.NullMarked;
