/** Searches, scripts, breakers and connections. */
@NullMarked
package io.millrace.doctor.check.search;

import org.jspecify.annotations.NullMarked;
