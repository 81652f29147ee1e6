/** Documents and bulk bodies: the same bytes for every side. */
@NullMarked
package io.millrace.bench.workload;

import org.jspecify.annotations.NullMarked;
