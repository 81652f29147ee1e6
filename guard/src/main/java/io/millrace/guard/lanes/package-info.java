/** Which searches wait for which: light ones for none, heavy ones for each other. */
@NullMarked
package io.millrace.guard.lanes;

import org.jspecify.annotations.NullMarked;
