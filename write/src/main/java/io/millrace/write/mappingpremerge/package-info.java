/** One mapping update for all new fields of a shard bulk, instead of one for each document. */
@NullMarked
package io.millrace.write.mappingpremerge;

import org.jspecify.annotations.NullMarked;
