/**
 * GC logs of JDK 8 to 25: {@code GcLog} reads lines with a {@code Dialect}, {@code GcSummary} holds
 * what they say, {@code GcAdvice} what follows, {@code GcText} and {@code GcPage} show it.
 */
@NullMarked
package io.millrace.doctor.gc;

import org.jspecify.annotations.NullMarked;
