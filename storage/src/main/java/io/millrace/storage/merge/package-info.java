/** Which segments are merged, and when shards that nobody writes to are merged for good. */
@NullMarked
package io.millrace.storage.merge;

import org.jspecify.annotations.NullMarked;
