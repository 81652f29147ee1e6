/** How an answer passes what looks at it on its way: between nodes, and to a client. */
@NullMarked
package io.millrace.kernel.channel;

import org.jspecify.annotations.NullMarked;
