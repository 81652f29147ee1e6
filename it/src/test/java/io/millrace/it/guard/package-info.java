/** Clients that would take a node down: what they do to stock and to Millrace. */
@NullMarked
package io.millrace.it.guard;

import org.jspecify.annotations.NullMarked;
