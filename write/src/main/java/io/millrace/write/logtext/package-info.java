/** The field type {@code log_text}: log lines indexed by their template and their variables. */
@NullMarked
package io.millrace.write.logtext;

import org.jspecify.annotations.NullMarked;
