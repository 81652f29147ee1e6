/** The limit: the same fields through a bare Lucene IndexWriter in a JVM of its own. */
@NullMarked
package io.millrace.bench.raw;

import org.jspecify.annotations.NullMarked;
