/** Places and moves shards by what they write and hold, not only by how many there are. */
@NullMarked
package io.millrace.cluster.balance;

import org.jspecify.annotations.NullMarked;
