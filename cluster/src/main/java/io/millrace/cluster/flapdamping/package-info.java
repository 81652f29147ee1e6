/** Keeps shards off a node that joins and leaves again and again, until it has stayed. */
@NullMarked
package io.millrace.cluster.flapdamping;

import org.jspecify.annotations.NullMarked;
