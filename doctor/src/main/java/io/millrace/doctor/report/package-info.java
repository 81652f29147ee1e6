/** An examination as text, JSON, HTML and SARIF. */
@NullMarked
package io.millrace.doctor.report;

import org.jspecify.annotations.NullMarked;
