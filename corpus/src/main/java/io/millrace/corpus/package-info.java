/**
 * Deterministic test data shaped like logs: the same seed gives the same bytes on every JDK, locale
 * and time zone. No OpenSearch dependency, so that the command line can use it too.
 */
@NullMarked
package io.millrace.corpus;

import org.jspecify.annotations.NullMarked;
