/** The analyzer for log lines: identifiers are found by their parts and as a whole. */
@NullMarked
package io.millrace.write.loganalyzer;

import org.jspecify.annotations.NullMarked;
