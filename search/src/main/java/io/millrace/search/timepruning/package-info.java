/** Ranges of time beside other conditions, by the skip list of the segment's doc values. */
@NullMarked
package io.millrace.search.timepruning;

import org.jspecify.annotations.NullMarked;
