/** Somebody whom a node has recognized, and how the others hear of it. */
@NullMarked
package io.millrace.access.identity;

import org.jspecify.annotations.NullMarked;
