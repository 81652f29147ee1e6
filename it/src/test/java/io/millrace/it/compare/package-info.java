/** The same operations on stock and on Millrace. */
@NullMarked
package io.millrace.it.compare;

import org.jspecify.annotations.NullMarked;
