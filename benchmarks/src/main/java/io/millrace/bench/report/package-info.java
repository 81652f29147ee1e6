/** The results as JSON, as one HTML file and as a few lines on the terminal. */
@NullMarked
package io.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
