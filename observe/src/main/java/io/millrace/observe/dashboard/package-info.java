/** The page that shows a cluster in ten seconds, and the one report it needs beside the others. */
@NullMarked
package io.millrace.observe.dashboard;

import org.jspecify.annotations.NullMarked;
