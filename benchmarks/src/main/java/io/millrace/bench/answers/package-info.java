/** A query mix made from the documents, and the comparison of its answers. */
@NullMarked
package io.millrace.bench.answers;

import org.jspecify.annotations.NullMarked;
