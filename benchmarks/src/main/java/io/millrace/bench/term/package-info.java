/** What the person at the terminal is told. */
@NullMarked
package io.millrace.bench.term;

import org.jspecify.annotations.NullMarked;
