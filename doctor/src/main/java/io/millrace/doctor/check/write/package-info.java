/** Bulks, thread pools, refresh, translog and merges. */
@NullMarked
package io.millrace.doctor.check.write;

import org.jspecify.annotations.NullMarked;
