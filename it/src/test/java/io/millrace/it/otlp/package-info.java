/** What becomes of logs by OTLP under more load than a node takes. */
@NullMarked
package io.millrace.it.otlp;

import org.jspecify.annotations.NullMarked;
