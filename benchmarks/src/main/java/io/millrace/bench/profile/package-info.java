/** Where the CPU time of a node goes, by subsystem. */
@NullMarked
package io.millrace.bench.profile;

import org.jspecify.annotations.NullMarked;
