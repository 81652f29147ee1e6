/** Logs of nodes that a user gives: what in them no API tells. */
@NullMarked
package io.millrace.doctor.logfile;

import org.jspecify.annotations.NullMarked;
