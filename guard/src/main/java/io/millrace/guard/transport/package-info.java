/** What the features of this domain share of the transport between nodes. */
@NullMarked
package io.millrace.guard.transport;

import org.jspecify.annotations.NullMarked;
