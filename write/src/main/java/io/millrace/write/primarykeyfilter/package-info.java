/** New ids of the sender's own are appended without looking for an earlier version. */
@NullMarked
package io.millrace.write.primarykeyfilter;

import org.jspecify.annotations.NullMarked;
