/** The page that a node serves, in a real browser. */
@NullMarked
package io.millrace.it.dashboard;

import org.jspecify.annotations.NullMarked;
