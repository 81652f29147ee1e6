/** What needs somebody now, on which node, and what to do about it. */
@NullMarked
package io.millrace.observe.alarms;

import org.jspecify.annotations.NullMarked;
