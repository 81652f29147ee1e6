/** What this machine has: memory, limits, processes, listeners. */
@NullMarked
package io.millrace.launcher.machine;

import org.jspecify.annotations.NullMarked;
