/** The {@code timeout} of a search, also before its first document. */
@NullMarked
package io.millrace.search.deadline;

import org.jspecify.annotations.NullMarked;
