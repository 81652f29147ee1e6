/** The page to look at log lines: it asks the node's own search API and nothing else. */
@NullMarked
package io.millrace.observe.explorer;

import org.jspecify.annotations.NullMarked;
