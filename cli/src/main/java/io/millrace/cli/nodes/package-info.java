/** The commands about the nodes of this machine; the work is in {@code launcher}. */
@NullMarked
package io.millrace.cli.nodes;

import org.jspecify.annotations.NullMarked;
