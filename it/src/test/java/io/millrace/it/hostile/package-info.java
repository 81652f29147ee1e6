/** Requests from the whole surface of a node with extreme parameters, and what they do to it. */
@NullMarked
package io.millrace.it.hostile;

import org.jspecify.annotations.NullMarked;
