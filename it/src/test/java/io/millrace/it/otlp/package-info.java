/** What logs by OTLP cost beside a bulk, and what becomes of them under more load than is taken. */
@NullMarked
package io.millrace.it.otlp;

import org.jspecify.annotations.NullMarked;
