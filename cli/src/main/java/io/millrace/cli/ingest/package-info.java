/** {@code millrace ingest}: files and pipes into an index, with nothing lost on the way. */
@NullMarked
package io.millrace.cli.ingest;

import org.jspecify.annotations.NullMarked;
