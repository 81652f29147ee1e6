/** The runner: rounds, nodes one at a time, measuring. */
@NullMarked
package io.millrace.bench.run;

import org.jspecify.annotations.NullMarked;
