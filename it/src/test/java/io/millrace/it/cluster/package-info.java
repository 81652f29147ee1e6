/** Where shards and the cluster manager are on a cluster of the real distribution. */
@NullMarked
package io.millrace.it.cluster;

import org.jspecify.annotations.NullMarked;
