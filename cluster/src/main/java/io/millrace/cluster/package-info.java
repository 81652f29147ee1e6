/** Where shards and the cluster manager are, and what happens when a node goes and comes back. */
@NullMarked
package io.millrace.cluster;

import org.jspecify.annotations.NullMarked;
