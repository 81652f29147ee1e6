/** The commands of a checkout of the sources: its tests and its benchmarks. */
@NullMarked
package io.millrace.cli.checkout;

import org.jspecify.annotations.NullMarked;
