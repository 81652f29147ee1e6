/** What the collector does to the node: collections, pauses, stalls, rates and heap after them. */
@NullMarked
package io.millrace.observe.gc;

import org.jspecify.annotations.NullMarked;
