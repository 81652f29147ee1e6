/** What logs by OTLP cost a node, and what becomes of them under more load than it takes. */
@NullMarked
package io.millrace.it.otlp;

import org.jspecify.annotations.NullMarked;
