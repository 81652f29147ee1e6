package io.millrace.cluster.balance;

import org.opensearch.cluster.routing.ShardRouting;

/**
 * One copy and what it costs its node.
 *
 * @param write busy indexing threads
 * @param bytes on disk, now or when the index is as large as the one before
 */
record CopyLoad(ShardRouting shard, ShardLoads.OfIndex index, double write, double bytes) {}
