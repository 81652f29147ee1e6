/** What features of this domain share about the phases of a search on a shard. */
@NullMarked
package io.millrace.guard.phases;

import org.jspecify.annotations.NullMarked;
