/** One shard request per bulk and index instead of one per shard. */
@NullMarked
package io.millrace.write.bulkrouting;

import org.jspecify.annotations.NullMarked;
